import { Transform } from 'node:stream';
import type { DomainError } from '#core/platform/errors/domain-error.js';

interface StreamBounds {
  readonly bytesMax: number;
  readonly tooLarge: () => DomainError;
  readonly pace?: Pace;
}

/**
 * Minimum pace of a body: after each second from `graceSeconds` on, it must have brought
 * `bytesPerSecondMin` on average for each second from the beginning.
 */
interface Pace {
  readonly graceSeconds: number;
  readonly bytesPerSecondMin: number;
  readonly tooSlow: () => DomainError;
}

/**
 * Passes on a body within its bounds. The stream breaks with the error of the first exceeded bound.
 */
export function boundedStream({ bytesMax, tooLarge, pace }: StreamBounds): Transform {
  let bytes = 0;
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      bytes += chunk.length;
      if (bytes > bytesMax) done(tooLarge());
      else done(null, chunk);
    },
  });
  if (pace) watchPace(stream, () => bytes, pace);
  return stream;
}

function watchPace(stream: Transform, arrived: () => number, pace: Pace): void {
  // Counts seconds instead of reading a clock: while this process is busy and reads nothing, no
  // caller is late.
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += 1;
    const isLate = seconds >= pace.graceSeconds && arrived() < seconds * pace.bytesPerSecondMin;
    if (isLate) stream.destroy(pace.tooSlow());
  }, 1_000);
  stream.once('close', () => clearInterval(timer));
}
