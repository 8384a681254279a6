import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../../platform/database/postgres.js';
import { purge } from '../../platform/durable-work/retention.js';
import type { GuardFigures, GuardReading, GuardRule, SubjectKey } from './guard-rules.js';

/** Subjects of one message of an account. */
export interface GuardedMessage {
  readonly accountId: string;
  readonly subjects: readonly SubjectKey[];
}

export interface NewBlock {
  readonly id: string;
  readonly accountId: string;
  readonly recipient: string;
  readonly reference: string | undefined;
  readonly figures: GuardFigures;
}

/** Refusals of a rule for one subject. */
export interface BlockRow {
  readonly id: string;
  readonly rule: string;
  readonly key: string;
  readonly recipient: string;
  readonly country: string;
  readonly reference: string | null;
  readonly sent: number;
  readonly verified: number | null;
  readonly refused: number;
  readonly createdAt: Date;
  readonly lastAt: Date;
}

export interface BreakerReset {
  readonly resetAt: Date | null;
  readonly now: Date;
}

/** Codes that a rule about verified codes counts. */
const CODES_COUNTED_MAX = 1_000;

/**
 * Blocks other messages to these recipients, of any account, until the transaction ends. Parameter:
 * keys.
 */
const lockRecipients = {
  name: 'otp-recipients-lock-1',
  text: `
SELECT pg_advisory_xact_lock(lock) FROM (
  SELECT DISTINCT ('x' || left(replace(key::text, '-', ''), 16))::bit(64)::bigint AS lock
    FROM unnest($1::uuid[]) AS k (key)
  ORDER BY lock
) locks`,
} as const;

/**
 * Reads the counts of every rule for each subject. A code that was entered from an email proves nothing about a
 * number. Parameters: accounts, subjects, keys.
 */
export const guardReadings = {
  name: 'otp-readings-3',
  text: `
SELECT s.n::int, s.key, r.rule, r.subject, r.sends_max AS "sendsMax", r.window_seconds AS "windowSeconds",
  r.verified_percent_min AS "verifiedPercentMin", counted.ages, counted.verified
FROM unnest($1::uuid[], $2::text[], $3::uuid[]) WITH ORDINALITY AS s (account_id, subject, key, n)
JOIN otp_rules r ON r.subject = s.subject
LEFT JOIN LATERAL (SELECT breaker_reset_at FROM otp_guards WHERE account_id = s.account_id OFFSET 0) g ON true
CROSS JOIN LATERAL (
  SELECT coalesce(array_agg(m.age ORDER BY m.age), '{}') AS ages,
    (count(*) FILTER (WHERE m.is_verified))::int AS verified
  FROM (
    SELECT floor(extract(epoch FROM now() - o.created_at))::int AS age, c.state = 'used'
      AND coalesce(c.steps ->> 'entered', '') <> 'email' AS is_verified
    FROM otp_sends o
    LEFT JOIN otp_codes c ON r.verified_percent_min IS NOT NULL AND c.id = o.message_id
    WHERE o.key = s.key AND o.created_at > now() - make_interval(secs => r.window_seconds)
      AND (r.verified_percent_min IS NULL OR c.code_hash IS NOT NULL
        AND o.created_at > coalesce(g.breaker_reset_at, '-infinity'))
    ORDER BY o.created_at DESC
    LIMIT CASE WHEN r.verified_percent_min IS NULL THEN r.sends_max ELSE ${CODES_COUNTED_MAX} END
  ) m
) counted
ORDER BY s.n, r.rule`,
} as const;

/** Parameters: messages, subjects, keys. */
const insertSends = {
  name: 'otp-sends-insert-1',
  text: `
INSERT INTO otp_sends (message_id, subject, key) SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[])`,
} as const;

/** Parameter: message. */
export const subjectsOf = {
  name: 'otp-subjects-1',
  text: 'SELECT DISTINCT subject, key FROM otp_sends WHERE message_id = $1',
} as const;

export const listRules = {
  name: 'otp-rules-1',
  text: `
SELECT rule, subject, sends_max AS "sendsMax", window_seconds AS "windowSeconds",
  verified_percent_min AS "verifiedPercentMin"
FROM otp_rules ORDER BY subject, window_seconds, rule`,
} as const;

/**
 * Counts a refusal. `isNew`: it is the first of its hour, or since the reset in that hour.
 * Parameters: id, account, rule, key, recipient, country, reference, sent, verified.
 */
const upsertBlock = {
  name: 'otp-block-1',
  text: `
INSERT INTO otp_blocks AS b (id, account_id, rule, key, since, recipient, country, reference, sent, verified)
SELECT $1, $2, $3, $4, greatest(date_trunc('hour', now()), g.breaker_reset_at), $5, $6, $7, $8, $9
FROM (SELECT $2::uuid AS account_id) a LEFT JOIN otp_guards g USING (account_id)
ON CONFLICT (account_id, rule, key, since) DO UPDATE
SET refused = b.refused + 1, sent = excluded.sent, verified = excluded.verified, last_at = now()
RETURNING id, id = $1 AS "isNew"`,
} as const;

const blockColumns = `id, rule, key, recipient, country, reference, sent, verified, refused, created_at AS "createdAt",
  last_at AS "lastAt"`;

/** Parameters: account, maximum. */
export const recentBlocks = {
  name: 'otp-blocks-1',
  text: `
SELECT ${blockColumns} FROM otp_blocks WHERE account_id = $1 AND last_at > now() - interval '1 hour'
  ORDER BY last_at DESC LIMIT $2`,
} as const;

/** Parameter: account. */
export const findReset = {
  name: 'otp-reset-1',
  text: `
SELECT (SELECT breaker_reset_at FROM otp_guards WHERE account_id = $1) AS "resetAt", now() AS now`,
} as const;

/** Parameter: account. */
const resetBreaker = {
  name: 'otp-reset-write-1',
  text: 'UPDATE otp_guards SET breaker_reset_at = now() WHERE account_id = $1',
} as const;

/** The counts and refusals of the fraud guard. */
@Injectable()
export class GuardRepository {
  constructor(private readonly postgres: Postgres) {}

  /** Locks the recipients among the subjects. The caller holds the locks of the accounts. */
  async lockRecipients(tx: EntityManager, messages: readonly GuardedMessage[]): Promise<void> {
    const recipients = messages.flatMap(({ subjects }) => subjects.filter(({ subject }) => subject === 'recipient'));
    await this.postgres.run(tx, lockRecipients, [recipients.map(({ key }) => key)]);
  }

  /** Returns the readings of each message. */
  async readings(messages: readonly GuardedMessage[], tx?: EntityManager): Promise<GuardReading[][]> {
    const flat = messages.flatMap(({ accountId, subjects }, index) =>
      subjects.map((subject) => ({ ...subject, accountId, index })),
    );
    const values = [
      flat.map(({ accountId }) => accountId),
      flat.map(({ subject }) => subject),
      flat.map(({ key }) => key),
    ];
    type Row = GuardReading & { readonly n: number };
    const rows = tx
      ? await this.postgres.run<Row>(tx, guardReadings, values)
      : await this.postgres.query<Row>(guardReadings, values);
    const readings = messages.map((): GuardReading[] => []);
    for (const { n, ...reading } of rows) readings[flat[n - 1]?.index ?? -1]?.push(reading);
    return readings;
  }

  /** Counts messages. */
  async insertSends(
    tx: EntityManager,
    messages: readonly { messageId: string; subjects: readonly SubjectKey[] }[],
  ): Promise<void> {
    const rows = messages.flatMap(({ messageId, subjects }) => subjects.map((subject) => ({ ...subject, messageId })));
    await this.postgres.run(tx, insertSends, [
      rows.map(({ messageId }) => messageId),
      rows.map(({ subject }) => subject),
      rows.map(({ key }) => key),
    ]);
  }

  /** Returns the subjects that a message counts for. */
  async subjectsOf(tx: EntityManager, messageId: string): Promise<SubjectKey[]> {
    return this.postgres.run<SubjectKey>(tx, subjectsOf, [messageId]);
  }

  /** Uncounts messages that were not accepted. */
  async removeSends(messageIds: readonly string[]): Promise<void> {
    const text = 'DELETE FROM otp_sends WHERE message_id = ANY ($1::uuid[])';
    await this.postgres.query({ name: 'otp-sends-remove-2', text }, [messageIds]);
  }

  async rules(): Promise<GuardRule[]> {
    return this.postgres.query<GuardRule>(listRules, []);
  }

  /** Counts a refusal; returns the id under which it is reported, and whether it is the first. */
  async block(tx: EntityManager, country: string, block: NewBlock): Promise<{ id: string; isNew: boolean }> {
    const { id, accountId, recipient, reference, figures } = block;
    const { rule, key, sent, verified } = figures;
    const values = [id, accountId, rule, key, recipient, country, reference ?? null, sent, verified];
    const [row] = await this.postgres.run<{ id: string; isNew: boolean }>(tx, upsertBlock, values);
    if (!row) throw new Error('A refusal was not stored');
    return row;
  }

  /** Refusals of the last hour, latest first. */
  async recentBlocks(accountId: string, blocksMax: number): Promise<BlockRow[]> {
    return this.postgres.query<BlockRow>(recentBlocks, [accountId, blocksMax]);
  }

  async findReset(accountId: string, tx?: EntityManager): Promise<BreakerReset> {
    const rows = tx
      ? await this.postgres.run<BreakerReset>(tx, findReset, [accountId])
      : await this.postgres.query<BreakerReset>(findReset, [accountId]);
    return rows[0] ?? { resetAt: null, now: new Date() };
  }

  /**
   * Lets the rules about verified codes count from now. The caller holds the lock of the account.
   */
  async reset(tx: EntityManager, accountId: string): Promise<void> {
    await this.postgres.run(tx, resetBreaker, [accountId]);
  }

  /**
   * Deletes a batch of counts and refusals older than every window; returns whether there may be
   * more.
   */
  async purge(): Promise<boolean> {
    const expired = (column: string) => `${column} < uuid_v7_floor(now() - interval '25 hours')`;
    const key = ['key', 'created_at', 'message_id'];
    const moreSends = await purge(this.postgres, { table: 'otp_sends', key, expired: expired('message_id') }, []);
    const moreBlocks = await purge(this.postgres, { table: 'otp_blocks', key: ['id'], expired: expired('id') }, []);
    return moreSends || moreBlocks;
  }

  /**
   * Deletes an account's refusals, all or only one recipient's. Counts hold only keyed hashes and
   * are deleted after a day.
   */
  async erase(accountId: string, recipient?: string): Promise<void> {
    // Without a name Postgres plans the statement for its values: one plan for both cases reads all
    // refusals of an account.
    await this.postgres.query(
      { text: 'DELETE FROM otp_blocks WHERE account_id = $1 AND ($2::text IS NULL OR recipient = $2)' },
      [accountId, recipient ?? null],
    );
  }
}
