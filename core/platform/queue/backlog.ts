import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { RedisClient } from './redis-client.js';

const KEPT_SECONDS = 3_600;

/**
 * How many messages of each account wait in the dispatch queue: the measure of fairness. Kept in Redis beside the queue it
 * describes; a lost or drifted count only makes an account's next messages wait a little more or less.
 */
@Injectable()
export class Backlog {
  /** Messages that left their account's backlog and are not counted yet. */
  private readonly left = new Map<string, number>();
  private leaving: Promise<void> | undefined;

  constructor(private readonly client: RedisClient) {}

  /** Adds to the accounts' counts and answers, for each, how many waited before. */
  async enter(counts: ReadonlyMap<string, number>): Promise<Map<string, number>> {
    const { redis } = this.client;
    if (!redis) return new Map();
    const entries = await Promise.all(
      [...counts].map(async ([accountId, count]) => {
        const key = this.key(accountId);
        const [waiting] = await Promise.all([redis.incrby(key, count), redis.expire(key, KEPT_SECONDS)]);
        return [accountId, Math.max(0, waiting - count)] as const;
      }),
    );
    return new Map(entries);
  }

  /** Takes one message of the account off its count, together with the others of this turn of the event loop. */
  leave(accountId: string): Promise<void> {
    this.left.set(accountId, (this.left.get(accountId) ?? 0) + 1);
    this.leaving ??= nextTurn().then(() => this.countLeft());
    return this.leaving;
  }

  private async countLeft(): Promise<void> {
    this.leaving = undefined;
    const counts = [...this.left];
    this.left.clear();
    const { redis } = this.client;
    if (!redis) return;
    await Promise.all(
      counts.map(async ([accountId, count]) => {
        const key = this.key(accountId);
        // A count never stays below 0.
        if ((await redis.decrby(key, count)) <= 0) await redis.del(key);
      }),
    );
  }

  private key(accountId: string): string {
    return this.client.key(`backlog:${accountId}`);
  }
}
