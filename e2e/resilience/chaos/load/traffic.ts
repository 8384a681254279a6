import { setTimeout as pause } from 'node:timers/promises';
import type { Run } from '../run.js';
import { bulkOne } from './bulks.js';
import { verifyOne } from './one-time-passwords.js';
import { buyOne } from './purchases.js';
import { replyOne } from './replies.js';
import { scheduleOne, sendMany, sendOne } from './sends.js';

interface Stream {
  readonly name: string;
  readonly everyMs: number;
  /** At this number customers wait for answers before they send more. */
  readonly underWayMax: number;
  readonly one: (run: Run, n: number) => Promise<void>;
}

const streams: readonly Stream[] = [
  { name: 'sends', everyMs: 40, underWayMax: 400, one: sendOne },
  { name: 'scheduled', everyMs: 200, underWayMax: 200, one: scheduleOne },
  { name: 'bursts', everyMs: 7_000, underWayMax: 2, one: sendMany },
  { name: 'bulks', everyMs: 3_000, underWayMax: 5, one: bulkOne },
  { name: 'codes', everyMs: 400, underWayMax: 200, one: verifyOne },
  { name: 'replies', everyMs: 250, underWayMax: 100, one: replyOne },
  // An account may open 20 checkouts in 10 minutes.
  { name: 'purchases', everyMs: 6_500, underWayMax: 20, one: buyOne },
];

/** The constant mixed load of a run. */
export class Traffic {
  private readonly stopping = new AbortController();
  private readonly ended: Promise<void>;

  constructor(private readonly run: Run) {
    this.ended = Promise.all(streams.map((stream) => this.flow(stream))).then(() => undefined);
  }

  /**
   * Starts nothing new. Resolves when all running requests have an answer, or after the time limit.
   */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.ended;
  }

  private async flow({ name, everyMs, underWayMax, one }: Stream): Promise<void> {
    const underWay = new Set<Promise<void>>();
    const { signal } = this.stopping;
    for (let n = 0; !signal.aborted; n += 1) {
      while (underWay.size >= underWayMax) await Promise.race(underWay);
      const work = one(this.run, n)
        .catch((error: unknown) => this.run.tally.fault(`${name} ${n}: ${String(error)}`))
        .finally(() => underWay.delete(work));
      underWay.add(work);
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
    await Promise.all(underWay);
  }
}
