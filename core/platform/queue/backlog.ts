import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { scriptOf, SharedCounters } from './shared-counters.js';

const KEPT_SECONDS = 3_600;

/**
 * Adds to counts and returns the new counts. A count that is not above 0 is deleted, so no count
 * stays below 0. Arguments: lifetime, then one number per key.
 */
const COUNT_SCRIPT = scriptOf(`
local counts = {}
for i, key in ipairs(KEYS) do
  counts[i] = redis.call('INCRBY', key, ARGV[i + 1])
  if counts[i] > 0 then redis.call('EXPIRE', key, ARGV[1]) else redis.call('DEL', key) end
end
return counts`);

/**
 * Number of waiting messages per account in the dispatch queue, the measure of fairness. Stored in
 * Redis next to the queue; a wrong count only makes an account's next messages wait a little more
 * or less.
 */
@Injectable()
export class Backlog {
  /** Started messages by account that are not subtracted from the counts yet. */
  private readonly left = new Map<string, number>();
  private leaving: Promise<void> | undefined;

  constructor(private readonly counters: SharedCounters) {}

  /** Adds to the accounts' counts; returns how many messages of each account waited before. */
  async enter(counts: ReadonlyMap<string, number>): Promise<Map<string, number>> {
    const entries = [...counts];
    const waiting = await this.add(entries);
    return new Map(entries.map(([accountId, count], index) => [accountId, Math.max(0, (waiting[index] ?? 0) - count)]));
  }

  /**
   * Subtracts one message from the account's count, in one round trip with all calls of this turn
   * of the event loop.
   */
  leave(accountId: string): Promise<void> {
    this.left.set(accountId, (this.left.get(accountId) ?? 0) + 1);
    this.leaving ??= nextTurn().then(() => this.countLeft());
    return this.leaving;
  }

  private async countLeft(): Promise<void> {
    this.leaving = undefined;
    const counts = [...this.left].map(([accountId, count]) => [accountId, -count] as const);
    this.left.clear();
    await this.add(counts);
  }

  /** Runs one command for all accounts; returns the new counts, empty without Redis. */
  private async add(counts: readonly (readonly [accountId: string, change: number])[]): Promise<readonly number[]> {
    if (counts.length === 0) return [];
    const keys = counts.map(([accountId]) => this.key(accountId));
    const changes = counts.map(([, change]) => change);
    return (await this.counters.count(COUNT_SCRIPT, keys, [KEPT_SECONDS, ...changes])) ?? [];
  }

  private key(accountId: string): string {
    return this.counters.key(`backlog:${accountId}`);
  }
}
