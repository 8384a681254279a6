import { Injectable } from '@nestjs/common';
import type { ActivityDay } from '#contract/activity.js';
import { NumberedRows, type Numbered } from '../../database/numbered-rows.js';
import { Postgres } from '../../database/postgres.js';
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

  /** How many there are, for days that follow each other: nothing is counted, as a day is a span of numbers. */
  async totals(accountId: string, days: readonly string[]): Promise<number[]> {
    const newest = await this.messages.newest(accountId);
    const ends = days.slice(-1).map(dayAfter);
    const firsts = await this.messages.firstsSince(accountId, newest, [...days, ...ends].map(startOfNewYorkDay));
    return firsts.slice(1).map((first, index) => first - (firsts[index] ?? first));
  }
}
