import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { MessageKind } from '#contract/messages.js';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DispatchQueue } from '../../platform/queue/queues.js';
import { Every } from '../../platform/schedules/every.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { NumberDirectory } from '../../numbers/number-directory.js';

/**
 * Turns are given this long ahead. Later messages wait on a list, without a job and without a turn.
 */
const AHEAD = "interval '3 seconds'";
const GIVEN_EVERY_MS = 1_000;
/**
 * Maximum of numbers per run and of messages per number, which also limits refunds for a released
 * number.
 */
const NUMBERS_MAX = 500;
const GIVEN_MAX = 500;
const FORGOTTEN_EVERY_MS = 600_000;
/** Exceeds the time for which a message is retried: {@link NumberTurns.turnOf}. */
const KEPT = "interval '5 hours'";

/** The time between two messages of a number `n`; parameters as of {@link takeTurnStatement}. */
const gapOf = (n: string) =>
  `make_interval(secs => CASE ${n}.type WHEN 'local' THEN $3::float8 ELSE $4::float8 END / 1000)`;
const livesAs = (n: string, account = '$1') =>
  `${n}.account_id = ${account} AND ${n}.origin = 'purchase' AND ${n}.status IN ('active', 'past_due')`;
/**
 * SQL condition: the carrier of a number is paused. No turns are given then, so that the messages
 * do not all leave at once later.
 */
const isPaused = (n: string) =>
  `EXISTS (SELECT FROM carrier_pauses p WHERE p.carrier = ${n}.carrier AND p.resumed_at IS NULL)`;

/**
 * Takes a turn for a message from a bought number or finds its earlier turn. Puts the message on
 * the number's list if others wait there, no turn is near or the carrier is paused. Returns no row
 * for any other message. One-time passwords leave at once; the next message waits for them too.
 * Parameters: account, message, milliseconds between two messages of a local and of a toll-free
 * number.
 */
export const takeTurnStatement = {
  name: 'number-turn-3',
  text: `
WITH message AS MATERIALIZED (
  SELECT m.kind, m.sender, ${gapOf('n')} AS gap, m.kind = 'otp' OR NOT ${isPaused('n')} AS may_leave
  FROM messages m JOIN numbers n ON n.number = m.sender AND ${livesAs('n')}
  WHERE m.account_id = $1 AND m.id = $2 AND m.status = 'queued'
),
known AS MATERIALIZED (
  SELECT at FROM number_turns WHERE account_id = $1 AND message_id = $2 AND at IS NOT NULL
),
slot AS (
  INSERT INTO number_slots AS s (account_id, number, next_at, turn_at, waits)
  SELECT $1, sender, CASE WHEN may_leave THEN now() + gap ELSE now() END, CASE WHEN may_leave THEN now() END,
    NOT may_leave
  FROM message WHERE NOT EXISTS (SELECT FROM known)
  ON CONFLICT (account_id, number) DO UPDATE SET (next_at, turn_at, waits) = (
    SELECT CASE WHEN f.is_free THEN greatest(s.next_at, now()) + message.gap ELSE s.next_at END,
      CASE WHEN message.kind = 'otp' THEN now() WHEN f.is_free THEN greatest(s.next_at, now()) END,
      s.waits OR NOT f.is_free
    FROM message
    CROSS JOIN LATERAL (
      SELECT message.kind = 'otp' OR (message.may_leave AND NOT s.waits AND s.next_at < now() + ${AHEAD}) AS is_free
    ) f
  )
  RETURNING turn_at
),
turn AS (
  INSERT INTO number_turns (account_id, message_id, number, at)
  SELECT $1, $2, message.sender, slot.turn_at FROM slot CROSS JOIN message
  ON CONFLICT (account_id, message_id) DO UPDATE SET at = coalesce(number_turns.at, excluded.at)
  RETURNING at
)
SELECT message.kind, known.at IS NOT NULL AS "isKnown",
  (1000 * extract(epoch FROM coalesce(known.at, turn.at) - now()))::float8 AS "waitMs"
FROM message LEFT JOIN known ON true LEFT JOIN turn ON true`,
} as const;

/**
 * Numbers with waiting messages, a near next turn and a carrier that takes messages. Parameter:
 * maximum of numbers.
 */
export const waitingNumbersStatement = {
  name: 'number-turns-waiting-3',
  text: `
SELECT s.account_id AS "accountId", s.number
FROM number_slots s LEFT JOIN numbers n ON n.number = s.number AND ${livesAs('n', 's.account_id')}
WHERE s.waits AND s.next_at < now() + ${AHEAD} AND NOT ${isPaused('n')} ORDER BY s.next_at LIMIT $1`,
} as const;

/** Parameters: account, number. */
export const lockSlotStatement = {
  name: 'number-slot-lock-1',
  text: `SELECT FROM number_slots WHERE account_id = $1 AND number = $2 FOR NO KEY UPDATE`,
} as const;

/**
 * Gives the next messages of a number's list their turns, in the order in which they were accepted,
 * and removes messages that no longer wait. All messages of a number that has left its account get
 * a turn now and are refused at their claim. Parameters: account, number, milliseconds as of {@link
 * takeTurnStatement}, maximum of messages. Returns the messages with a turn.
 */
export const giveTurnsStatement = {
  name: 'number-turns-give-1',
  text: `
WITH slot AS MATERIALIZED (
  SELECT greatest(s.next_at, now()) AS next_at, ${gapOf('n')} AS gap
  FROM number_slots s LEFT JOIN numbers n ON n.number = s.number AND ${livesAs('n')}
  WHERE s.account_id = $1 AND s.number = $2
),
looked AS MATERIALIZED (
  SELECT t.message_id, m.kind, m.status
  FROM (
    SELECT message_id FROM number_turns WHERE account_id = $1 AND number = $2 AND at IS NULL
    ORDER BY message_id LIMIT $5
  ) t
  LEFT JOIN messages m ON m.account_id = $1 AND m.id = t.message_id
),
over AS (
  DELETE FROM number_turns WHERE account_id = $1 AND message_id IN (
    SELECT message_id FROM looked WHERE status IS DISTINCT FROM 'queued'
  )
),
given AS MATERIALIZED (
  SELECT message_id, kind, at FROM (
    SELECT message_id, kind, next_at + gap * (row_number() OVER (ORDER BY message_id) - 1) AS at
    FROM looked CROSS JOIN slot WHERE status = 'queued' AND gap IS NOT NULL
    UNION ALL
    SELECT message_id, kind, now() FROM looked CROSS JOIN slot WHERE status = 'queued' AND gap IS NULL
  ) next
  WHERE at < now() + ${AHEAD}
),
turns AS (
  UPDATE number_turns t SET at = given.at FROM given WHERE t.account_id = $1 AND t.message_id = given.message_id
),
left_over AS (
  UPDATE number_slots s SET next_at = coalesce((SELECT max(at) + slot.gap FROM given), s.next_at),
    waits = (SELECT count(*) FROM looked) = $5
      OR (SELECT count(*) FROM looked WHERE status = 'queued') > (SELECT count(*) FROM given)
  FROM slot WHERE s.account_id = $1 AND s.number = $2
)
SELECT message_id AS id, kind, (1000 * extract(epoch FROM at - now()))::float8 AS "waitMs" FROM given`,
} as const;

/**
 * Puts a message that has its turn back on its number's list. The slot's row is locked first, as
 * everywhere. Parameters: account, message.
 */
export const giveBackStatement = {
  name: 'number-turn-back-1',
  text: `
WITH slot AS (
  UPDATE number_slots s SET waits = true FROM number_turns t
  WHERE t.account_id = $1 AND t.message_id = $2 AND t.at IS NOT NULL AND s.account_id = $1 AND s.number = t.number
  RETURNING s.number
)
UPDATE number_turns t SET at = NULL FROM slot WHERE t.account_id = $1 AND t.message_id = $2
RETURNING t.message_id AS id`,
} as const;

export const turnOfStatement = {
  name: 'number-turn-of-1',
  text: `SELECT at FROM number_turns WHERE account_id = $1 AND message_id = $2`,
} as const;

const forgetStatements = [
  { name: 'number-turns-forget-1', text: `DELETE FROM number_turns WHERE at < now() - ${KEPT}` },
  {
    name: 'number-slots-forget-1',
    text: `DELETE FROM number_slots WHERE next_at < now() - interval '1 day' AND NOT waits`,
  },
] as const;

/** The time when a message from a bought number leaves. */
export interface Turn {
  readonly kind: MessageKind;
  /** Wait from now; 0 or less: it leaves at once. Null: it waits on the list of its number. */
  readonly waitMs: number | null;
  /** Whether another job of the message took the turn earlier. */
  readonly isKnown: boolean;
}

/** A message of a list that has its turn. */
export interface GivenTurn {
  readonly id: string;
  readonly kind: MessageKind;
  readonly waitMs: number;
}

interface WaitingNumber {
  readonly accountId: string;
  readonly number: string;
}

/**
 * Gives the messages of each bought number their turns, one after the other, at the rate that carriers
 * take from such a number. Other messages and accounts without numbers cost no statement.
 *
 * Turns are given for the next seconds only, so that canceled or released messages delay no others,
 * and a long list costs no jobs; no turns are given while the number's carrier is paused. A message
 * keeps a turn that has passed and leaves when its job runs.
 */
@Injectable()
export class NumberTurns {
  private readonly gapsMs: readonly [local: number, tollFree: number];

  constructor(
    private readonly postgres: Postgres,
    private readonly directory: NumberDirectory,
    private readonly queue: DispatchQueue,
    private readonly logger: Logger,
    { numbers: { terms } }: Config,
  ) {
    this.gapsMs = [1_000 / terms.local.perSecond, 1_000 / terms.toll_free.perSecond];
  }

  /**
   * Takes a turn; undefined for a message that needs none. `isSure`: the message is from a bought
   * number that this process may not know yet.
   */
  async take(accountId: string, messageId: string, isSure = false): Promise<Turn | undefined> {
    if (!isSure && !(await this.hasNumbers(accountId))) return undefined;
    const [turn] = await this.postgres.query<Turn>(takeTurnStatement, [accountId, messageId, ...this.gapsMs]);
    return turn;
  }

  /**
   * Returns the turn of a message whose carrier is paused: the message leaves at the number's rate
   * when the carrier resumes, before messages accepted later. Returns false for a message without a
   * turn.
   */
  async giveBack(accountId: string, messageId: string): Promise<boolean> {
    if (!(await this.hasNumbers(accountId))) return false;
    return (await this.postgres.query(giveBackStatement, [accountId, messageId])).length > 0;
  }

  /** Returns the time of a message's turn; undefined for a message without a turn. */
  async turnOf(accountId: string, messageId: string): Promise<Date | undefined> {
    const [turn] = await this.postgres.query<{ at: Date | null }>(turnOfStatement, [accountId, messageId]);
    return turn?.at ?? undefined;
  }

  /** Gives turns and jobs to messages that wait on lists; returns their number. */
  @Every({ name: 'number turns', everyMs: GIVEN_EVERY_MS })
  async give(): Promise<number> {
    let given = 0;
    for (const waiting of await this.postgres.query<WaitingNumber>(waitingNumbersStatement, [NUMBERS_MAX]))
      try {
        given += await this.giveOf(waiting);
      } catch (err) {
        this.logger.error({ err, ...waiting }, 'turns of a number not given');
      }
    return given;
  }

  /** Deletes old turns. */
  @Every({ name: 'old number turns', everyMs: FORGOTTEN_EVERY_MS })
  async forget(): Promise<void> {
    for (const statement of forgetStatements) await this.postgres.query(statement, []);
  }

  private async hasNumbers(accountId: string): Promise<boolean> {
    const { numbers } = await this.directory.ofAccount(accountId);
    return numbers.some(({ origin }) => origin === 'purchase');
  }

  /** Recovery enqueues a job again that is lost after the commit; the message keeps its turn. */
  private async giveOf({ accountId, number }: WaitingNumber): Promise<number> {
    const given = await this.postgres.transaction((tx) => this.giveWithin(tx, accountId, number));
    for (const { id, kind, waitMs } of given)
      await this.queue.enqueued({ id, accountId, kind, delayMs: Math.ceil(Math.max(0, waitMs)) });
    return given.length;
  }

  private async giveWithin(tx: EntityManager, accountId: string, number: string): Promise<GivenTurn[]> {
    await this.postgres.run(tx, lockSlotStatement, [accountId, number]);
    return this.postgres.run<GivenTurn>(tx, giveTurnsStatement, [accountId, number, ...this.gapsMs, GIVEN_MAX]);
  }
}
