import { Carrier, messageIdOf, type CarriedMessage } from '../../testkit/carrier.js';
import { quantile } from '../report.js';

const timeoutMs = 60_000;

/** A message as it reached the carrier; instants in ms since 1970, all by one clock. */
export interface Arrival {
  readonly messageId: string;
  readonly acceptedAtMs: number;
  readonly arrivedAtMs: number;
}

/** The sandbox's carrier: when messages arrived there, and how long its answers take. */
export class BenchCarrier extends Carrier {
  constructor(url: string) {
    super(url, timeoutMs);
  }

  /** All arrivals, oldest first; with `to`, only those of that number. */
  async arrivals(to?: string): Promise<Arrival[]> {
    return (await this.messages(to)).map(arrivalOf);
  }

  /** Delays every answer from now on. */
  delayAnswers(delayMs: number): Promise<void> {
    return this.misbehave(delayMs > 0 ? 'delay' : 'none', { delayMs });
  }
}

// A message id is a UUIDv7, whose first 48 bits are the time of its creation (RFC 9562, 5.7).
function arrivalOf(message: CarriedMessage): Arrival {
  const messageId = messageIdOf(message).replace(/^SM/, '');
  const acceptedAtMs = parseInt(messageId.slice(0, 12), 16);
  return { messageId, acceptedAtMs, arrivedAtMs: Date.parse(message.at) };
}

/** Messages per second from the first arrival to the last. Throws when there are fewer than two moments. */
export function arrivalRate(arrivals: readonly Arrival[]): { perSecond: number; seconds: number } {
  const times = arrivals.map(({ arrivedAtMs }) => arrivedAtMs);
  const seconds = (quantile(times, 1) - quantile(times, 0)) / 1_000;
  if (!(seconds > 0)) throw new Error('A rate needs arrivals at two moments');
  return { perSecond: (times.length - 1) / seconds, seconds };
}

/** Median and 99th percentile of the time from acceptance to arrival. */
export function waitsOf(arrivals: readonly Arrival[]): { p50Ms: number; p99Ms: number } {
  const waits = arrivals.map(({ acceptedAtMs, arrivedAtMs }) => arrivedAtMs - acceptedAtMs);
  return { p50Ms: quantile(waits, 0.5), p99Ms: quantile(waits, 0.99) };
}
