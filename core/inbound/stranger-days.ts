import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { Postgres } from '../platform/database/postgres.js';
import type { IncomingReply } from './opt-outs.js';

const TODAY = `(now() AT TIME ZONE 'America/New_York')::date`;

/**
 * For each text to a bought number: the number's maximum of strangers' texts, and whether the
 * writer is a stranger, to whom the account has sent no message. No row for a number without an
 * account. Parameters: numbers, writers.
 */
export const strangersStatement = {
  name: 'strangers-1',
  text: `
SELECT q.n::int AS n, n.account_id AS "accountId", n.number, n.strangers_per_day AS "perDay",
  n.status = 'releasing' AS "isReleasing",
  NOT EXISTS (
    SELECT FROM messages m
    WHERE m.account_id = n.account_id AND m.recipient = q.person AND (m.sent_at IS NOT NULL OR m.status = 'sending')
  ) AS "isStranger",
  coalesce(d.charged, 0) AS charged, coalesce(d.limited, 0) AS limited
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS q (number, person, n)
JOIN numbers n ON n.number = q.number AND n.origin = 'purchase' AND n.status NOT IN ('reserving', 'released')
LEFT JOIN stranger_days d ON d.account_id = n.account_id AND d.number = n.number AND d.day = ${TODAY}`,
} as const;

/** Parameters are arrays: account, number, charged texts, limited texts. */
export const countStrangersStatement = {
  name: 'strangers-count-1',
  text: `
INSERT INTO stranger_days AS d (account_id, number, day, charged, limited)
SELECT account_id, number, ${TODAY}, charged, limited
FROM unnest($1::uuid[], $2::text[], $3::int[], $4::int[]) AS c (account_id, number, charged, limited)
ON CONFLICT (account_id, number, day) DO UPDATE
SET charged = d.charged + excluded.charged, limited = d.limited + excluded.limited`,
} as const;

interface StrangersRow {
  readonly n: number;
  readonly accountId: string;
  readonly number: string;
  readonly perDay: number;
  readonly isReleasing: boolean;
  readonly isStranger: boolean;
  readonly charged: number;
  readonly limited: number;
}

/**
 * Texts of strangers to a number on this New York day: earlier texts, and texts that are counted
 * now.
 */
interface NumberDay {
  readonly accountId: string;
  readonly number: string;
  readonly before: { readonly charged: number; readonly limited: number };
  charged: number;
  limited: number;
}

/** A text to a number that an account has bought. */
export interface OwnNumberText extends Pick<StrangersRow, 'perDay' | 'isReleasing' | 'isStranger'> {
  readonly day: NumberDay;
}

/**
 * Counts strangers' texts to accounts' own numbers, in the transaction that stores and charges
 * them.
 */
@Injectable()
export class StrangerDays {
  constructor(private readonly postgres: Postgres) {}

  /**
   * Reads the state of texts to bought numbers. The locks on the accounts' balances, which the
   * caller holds, keep it current.
   */
  async of(tx: EntityManager, texts: readonly IncomingReply[]): Promise<Map<IncomingReply, OwnNumberText>> {
    if (texts.length === 0) return new Map();
    const values = [texts.map(({ recipient }) => recipient), texts.map(({ sender }) => sender)];
    const days = new Map<string, NumberDay>();
    const found = new Map<IncomingReply, OwnNumberText>();
    for (const { n, accountId, number, charged, limited, ...row } of await this.postgres.run<StrangersRow>(
      tx,
      strangersStatement,
      values,
    )) {
      const day = days.get(number) ?? { accountId, number, before: { charged, limited }, charged, limited };
      days.set(number, day);
      const text = texts[n - 1];
      if (text) found.set(text, { ...row, day });
    }
    return found;
  }

  /** Stores the counts. */
  async count(tx: EntityManager, texts: ReadonlyMap<IncomingReply, OwnNumberText>): Promise<void> {
    const counted = [...new Set([...texts.values()].map(({ day }) => day))].filter(
      ({ before, charged, limited }) => charged > before.charged || limited > before.limited,
    );
    if (counted.length === 0) return;
    await this.postgres.run(tx, countStrangersStatement, [
      counted.map(({ accountId }) => accountId),
      counted.map(({ number }) => number),
      counted.map(({ before, charged }) => charged - before.charged),
      counted.map(({ before, limited }) => limited - before.limited),
    ]);
  }
}

/**
 * Counts a stranger's text beyond the day's maximum: it is stored while there is room for such
 * texts.
 */
export function limitedOutcome({ day }: OwnNumberText): 'limited' | 'full' {
  if (day.limited >= limits.limitedStrangersPerDayMax) return 'full';
  day.limited += 1;
  return 'limited';
}
