import { Injectable } from '@nestjs/common';
import type { ActivityDay } from '#contract/dashboard.js';
import { NumberedRows, type Numbered } from '../../platform/database/numbered-rows.js';
import { Postgres } from '../../platform/database/postgres.js';
import { dayAfter, startOfNewYorkDay } from '../../rules/new-york-time.js';

const statesStatement = {
  name: 'message-days-1',
  text: `SELECT day::text, greatest(0, sent)::float8 AS sent, delivered::float8, undelivered::float8, failed::float8
    FROM message_days WHERE account_id = $1 AND day = ANY($2::date[])`,
};

/** An account's messages by the New York day they were accepted on. */
@Injectable()
export class MessageDaysRepository {
  private readonly messages: NumberedRows<Numbered>;

  constructor(private readonly postgres: Postgres) {
    this.messages = new NumberedRows(postgres, { table: 'messages', columns: 'id' });
  }

  /** How many of them are sent, delivered, undelivered, failed; days without any are left out. */
  async states(accountId: string, days: readonly string[]): Promise<Omit<ActivityDay, 'queued'>[]> {
    return this.postgres.query(statesStatement, [accountId, days]);
  }

  /**
   * How many there are, for days that follow each other: nothing is counted, as a day is a span of numbers. `atLeast` is what is
   * known of each day; where nothing waits any more it is all of it, so that one row tells.
   */
  async totals(accountId: string, days: readonly string[], atLeast: readonly number[]): Promise<number[]> {
    const newest = await this.messages.newest(accountId);
    const spans = days.map((day, index) => ({ since: startOfNewYorkDay(day), rowsMin: atLeast[index] ?? 0 }));
    const ends = days.slice(-1).map((day) => ({ since: startOfNewYorkDay(dayAfter(day)), rowsMin: 0 }));
    const firsts = await this.messages.firstsBack(accountId, newest, [...spans, ...ends].reverse());
    return firsts
      .slice(1)
      .map((first, index) => (firsts[index] ?? first) - first)
      .reverse();
  }
}
