import { Injectable } from '@nestjs/common';
import type { MessageKind } from '#contract/messages.js';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';
import { Every } from '../../platform/schedules/every.js';
import { NumberDirectory } from '../../numbers/number-directory.js';

const FORGOTTEN_EVERY_MS = 600_000;
/** A turn that has been over for longer is lost: a message that is tried again takes another one. */
const LOST_SECONDS = 10;

/**
 * Takes the turn of a message from a bought number, or finds the one that it has. No row for any other
 * message. One-time passwords leave at once; the next message waits for them too. Parameters: account,
 * message, milliseconds between two messages of a local and of a toll-free number.
 */
export const takeTurnStatement = {
  name: 'number-turn-1',
  text: `
WITH message AS MATERIALIZED (
  SELECT m.kind, m.sender,
    make_interval(secs => CASE n.type WHEN 'local' THEN $3::float8 ELSE $4::float8 END / 1000) AS gap
  FROM messages m
  JOIN numbers n ON n.number = m.sender AND n.account_id = $1 AND n.origin = 'purchase' AND n.status <> 'released'
  WHERE m.account_id = $1 AND m.id = $2 AND m.status = 'queued'
),
known AS MATERIALIZED (
  SELECT at FROM number_turns
  WHERE account_id = $1 AND message_id = $2 AND at > now() - interval '${LOST_SECONDS} seconds'
),
slot AS (
  INSERT INTO number_slots AS s (account_id, number, next_at)
  SELECT $1, sender, now() + gap FROM message WHERE NOT EXISTS (SELECT FROM known)
  ON CONFLICT (account_id, number) DO UPDATE SET next_at = greatest(s.next_at, now()) + (excluded.next_at - now())
  RETURNING next_at
),
taken AS (
  INSERT INTO number_turns AS t (account_id, message_id, at)
  SELECT $1, $2, CASE kind WHEN 'otp' THEN now() ELSE next_at - gap END FROM slot CROSS JOIN message
  ON CONFLICT (account_id, message_id) DO UPDATE SET at = excluded.at
  RETURNING at
)
SELECT message.kind, known.at IS NOT NULL AS "isKnown",
  (1000 * extract(epoch FROM coalesce(known.at, taken.at) - now()))::float8 AS "waitMs"
FROM message LEFT JOIN known ON true LEFT JOIN taken ON true`,
} as const;

const forgetStatements = [
  { text: `DELETE FROM number_turns WHERE at < now() - interval '1 hour'` },
  { text: `DELETE FROM number_slots WHERE next_at < now() - interval '1 day'` },
] as const;

/** When a message from a bought number leaves. */
export interface Turn {
  readonly kind: MessageKind;
  /** From now on; 0 or less: it leaves at once. */
  readonly waitMs: number;
  /** It was taken earlier, by another job of the message. */
  readonly isKnown: boolean;
}

/**
 * Gives the messages of each bought number their turns, one after the other, at the rate that carriers
 * take from such a number. Other messages and accounts without numbers cost no statement.
 */
@Injectable()
export class NumberTurns {
  private readonly gapsMs: readonly [local: number, tollFree: number];

  constructor(
    private readonly postgres: Postgres,
    private readonly directory: NumberDirectory,
    { numbers: { terms } }: Config,
  ) {
    this.gapsMs = [1_000 / terms.local.perSecond, 1_000 / terms.toll_free.perSecond];
  }

  /** Undefined for a message that needs none. */
  async take(accountId: string, messageId: string): Promise<Turn | undefined> {
    const { numbers } = await this.directory.ofAccount(accountId);
    if (!numbers.some(({ origin }) => origin === 'purchase')) return undefined;
    const [turn] = await this.postgres.query<Turn>(takeTurnStatement, [accountId, messageId, ...this.gapsMs]);
    return turn;
  }

  /** Forgets turns that are over. */
  @Every({ name: 'number turns', everyMs: FORGOTTEN_EVERY_MS })
  async forget(): Promise<void> {
    for (const statement of forgetStatements) await this.postgres.query(statement, []);
  }
}
