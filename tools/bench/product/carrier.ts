import { Carrier, messageIdOf, type CarriedMessage } from '../../testkit/carrier.js';
import { quantile } from '../report.js';

const timeoutMs = 60_000;

/** A message as it reached the carrier; instants in ms since 1970, all by one clock. */
interface Arrival {
  readonly messageId: string;
  readonly acceptedAtMs: number;
  readonly arrivedAtMs: number;
}

/** The sandbox's carrier, with the arrivals of messages and the delay of answers. */
export class BenchCarrier extends Carrier {
  constructor(url: string) {
    super(url, timeoutMs);
  }

  /** All arrivals, oldest first; with `to`, only arrivals for that number. */
  async arrivals(to?: string): Promise<Arrival[]> {
    return (await this.messages(to)).map(arrivalOf);
  }

  delayAnswers(delayMs: number): Promise<void> {
    return this.misbehave(delayMs > 0 ? 'delay' : 'none', { delayMs });
  }
}

/**
 * A message id is a UUIDv7, whose first 48 bits are the time of its creation (RFC 9562, 5.7). By SMPP a message has no
 * id of ours, and goes by the SMSC's.
 */
function arrivalOf(message: CarriedMessage): Arrival {
  const messageId = message.statusCallback === null ? message.sid : messageIdOf(message).replace(/^SM/, '');
  const acceptedAtMs = parseInt(messageId.slice(0, 12), 16);
  return { messageId, acceptedAtMs, arrivedAtMs: Date.parse(message.at) };
}

/** Arrivals per second from the first instant to the last. Throws when there are fewer than two. */
export function arrivalRate(timesMs: readonly number[]): { perSecond: number; seconds: number } {
  const seconds = (quantile(timesMs, 1) - quantile(timesMs, 0)) / 1_000;
  if (!(seconds > 0)) throw new Error('A rate needs arrivals at two moments');
  return { perSecond: (timesMs.length - 1) / seconds, seconds };
}

/** Median and 99th percentile of waits. */
export function waitsOf(waitsMs: readonly number[]): { p50Ms: number; p99Ms: number } {
  return { p50Ms: quantile(waitsMs, 0.5), p99Ms: quantile(waitsMs, 0.99) };
}
