import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../../platform/database/postgres.js';
import type { UnsettledMessage } from './match-records.js';

const BATCH_MAX = 500;
const UNSETTLED_MAX = 1_000;
/** A message without a receipt is polled ever less often, and not at all after this long. */
const POLLED_FOR = '4 days';

/**
 * Takes due messages and sets when each is due again, so that several workers share the work and a crash loses none. The wait
 * grows with the message's age up to a bound, so that a long backlog costs little. Locked rows belong to another worker.
 */
export const takeDueStatement = {
  name: 'due-take-2',
  text: `
UPDATE messages m
SET due_at = CASE m.status
  WHEN 'queued' THEN now() + least(interval '10 minutes', greatest(interval '15 seconds', now() - m.created_at))
  WHEN 'sending' THEN now() + greatest(make_interval(secs => $1), least(interval '10 minutes', (now() - m.claimed_at) / 2))
  WHEN 'sent' THEN
    CASE WHEN now() - m.created_at < interval '${POLLED_FOR}' THEN now() + greatest(make_interval(secs => $2), now() - m.sent_at) END
  END
FROM (
  SELECT id FROM messages WHERE due_at <= now() ORDER BY due_at LIMIT ${BATCH_MAX} FOR UPDATE SKIP LOCKED
) due
WHERE m.id = due.id
RETURNING m.id, m.account_id AS "accountId", m.kind, m.status, m.recipient, m.sender, m.body,
  m.carrier_id AS "carrierId", m.attempts, m.created_at AS "createdAt", m.claimed_at AS "claimedAt",
  now() - m.claimed_at > make_interval(secs => $1) AS "leaseOver"
`,
} as const;

// Counted in the database: a million ids would be a quarter of a gigabyte in the worker.
export const expediteStatement = {
  name: 'due-expedite-2',
  text: `
WITH expedited AS (
  UPDATE messages SET due_at = now() WHERE status = 'queued' AND due_at > now() RETURNING 1
)
SELECT count(*)::int AS count FROM expedited
`,
} as const;

/** Parameters: recipient, id of the message that is left out, lease in seconds. */
export const unsettledStatement = {
  text: `
SELECT id, sender, body AS text, attempts, created_at AS "createdAt", claimed_at AS "claimedAt",
  now() - claimed_at > make_interval(secs => $3) AS "leaseOver"
FROM messages
WHERE recipient = $1 AND id <> $2 AND status = 'sending' AND kind = 'sms' AND carrier_id IS NULL
ORDER BY id DESC LIMIT ${UNSETTLED_MAX}`,
} as const;

interface DueMessageFields {
  readonly id: string;
  readonly accountId: string;
  readonly kind: 'sms' | 'otp';
  readonly recipient: string;
  readonly sender: string;
  readonly body: string;
  /** The number of its last claim. */
  readonly attempts: number;
}

/** A message whose claim has no outcome yet. */
export interface ClaimedDueMessage extends DueMessageFields {
  readonly status: 'sending';
  readonly createdAt: Date;
  readonly claimedAt: Date;
  /** Whether its claim is older than the lease. */
  readonly leaseOver: boolean;
}

export type DueMessage =
  | (DueMessageFields & { readonly status: 'queued' })
  | ClaimedDueMessage
  | (DueMessageFields & { readonly status: 'sent'; readonly carrierId: string });

/** The rows that recovery takes. */
@Injectable()
export class DueMessagesRepository {
  constructor(private readonly postgres: Postgres) {}

  /** Takes at most a batch of due messages. */
  async take(leaseSeconds: number, lookupSeconds: number): Promise<DueMessage[]> {
    return this.postgres.query<DueMessage>(takeDueStatement, [leaseSeconds, lookupSeconds]);
  }

  /** Makes every queued message due now, because the queue lost its data; returns how many. */
  async expedite(): Promise<number> {
    const [row] = await this.postgres.query<{ count: number }>(expediteStatement, []);
    return row?.count ?? 0;
  }

  /** Returns which of the carrier's ids belong to messages to this recipient. */
  async knownCarrierIds(tx: EntityManager, recipient: string, carrierIds: string[]): Promise<Set<string>> {
    const rows = await tx.query<{ carrier_id: string }[]>(
      `SELECT carrier_id FROM messages WHERE recipient = $1 AND carrier_id = ANY($2::text[])`,
      [recipient, carrierIds],
    );
    return new Set(rows.map(({ carrier_id }) => carrier_id));
  }

  /**
   * Returns other messages to the recipient without an outcome, with whether their lease is over. The real text of a one-time
   * password is not among them, and no message equals it.
   */
  async unsettledTo(
    tx: EntityManager,
    { id, kind, recipient }: ClaimedDueMessage,
    leaseSeconds: number,
  ): Promise<(UnsettledMessage & { readonly leaseOver: boolean })[]> {
    if (kind === 'otp') return [];
    return tx.query(unsettledStatement.text, [recipient, id, leaseSeconds]);
  }

  /** Lets one worker at a time match the carrier's records of a recipient, until the transaction ends. */
  async lockRecipient(tx: EntityManager, recipient: string): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtext('settle'), hashtext($1))`, [recipient]);
  }
}
