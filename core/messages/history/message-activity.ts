import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import type { ActivityAnswer, ActivityDay, SummaryAnswer } from '#contract/dashboard.js';
import { type Numbered, NumberedRows } from '../../platform/database/numbered-rows.js';
import { Postgres } from '../../platform/database/postgres.js';
import { dayAfter, daysUntil, newYorkDay, startOfNewYorkDay } from '../../rules/time.js';
import { statesStatement } from './sent-history.js';

export type SummaryRow = SummaryAnswer['countries'][number] & Pick<SummaryAnswer, 'delivered'>;

/**
 * Counts the newest messages, their credits and the delivered messages by country. Parameters:
 * account, number of the first message that is read.
 */
export const summaryStatement = {
  name: 'message-summary-1',
  text: `SELECT country, count(*)::float8 AS messages, sum(credits - refunded)::float8 AS credits,
      count(*) FILTER (WHERE status = 'delivered')::float8 AS delivered
    FROM messages WHERE account_id = $1 AND number >= $2
    GROUP BY country ORDER BY sum(credits - refunded) DESC, country`,
} as const;

const none = { scheduled: 0, sent: 0, delivered: 0, undelivered: 0, failed: 0, canceled: 0 };

/**
 * Counts an account's messages of the last New York days, by day and state. The cost does not grow
 * with their number.
 */
@Injectable()
export class MessageActivity {
  private readonly messages: NumberedRows<Numbered>;

  constructor(private readonly postgres: Postgres) {
    this.messages = new NumberedRows(postgres, { table: 'messages', columns: 'id' });
  }

  async show(accountId: string, days: number, now = new Date()): Promise<ActivityAnswer> {
    const wanted = daysUntil(newYorkDay(now), days);
    // States are read before totals, so that a message accepted in between counts as queued.
    const rows = await this.postgres.query<Omit<ActivityDay, 'queued'>>(statesStatement, [accountId, wanted]);
    const states = new Map(rows.map((row) => [row.day, row]));
    const known = wanted.map((day) => states.get(day) ?? { day, ...none });
    const moved = known.map(
      ({ scheduled, sent, delivered, undelivered, failed, canceled }) =>
        scheduled + sent + delivered + undelivered + failed + canceled,
    );
    const totals = await this.totals(accountId, wanted, moved);
    return {
      days: known.map((one, index) => {
        // A total is below its states once messages have been deleted.
        const queued = Math.max(0, (totals[index] ?? 0) - (moved[index] ?? 0));
        return { ...one, queued };
      }),
    };
  }

  /** Returns figures of the newest messages. Reads at most `summaryMessagesMax` messages. */
  async summary(accountId: string): Promise<SummaryAnswer> {
    const first = (await this.messages.newest(accountId)) - limits.summaryMessagesMax + 1;
    const rows = await this.postgres.query<SummaryRow>(summaryStatement, [accountId, first]);
    const sum = (figure: 'messages' | 'delivered') => rows.reduce((total, row) => total + row[figure], 0);
    return {
      messages: sum('messages'),
      delivered: sum('delivered'),
      countries: rows.map(({ country, messages, credits }) => ({ country, messages, credits })),
    };
  }

  /**
   * Returns the number of messages on consecutive days. Nothing is counted: a day is a span of
   * numbers. `atLeast` is the number known for each day; it is the total if no message waits any
   * more, so that one row is enough.
   */
  private async totals(accountId: string, days: readonly string[], atLeast: readonly number[]): Promise<number[]> {
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
