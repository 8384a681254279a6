import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../platform/database/postgres.js';
import { type OtpPlan, type ReservedStep, STEP_LEASE_SECONDS } from './steps/otp-plan.js';

/** A code with its latest message. */
export interface OtpRecord {
  readonly id: string;
  readonly accountId: string;
  readonly recipient: string;
  readonly digits: number;
  readonly reference: string | null;
  /** `over`: expired, or ended by wrong tries. `unmanaged`: the caller has made the code. */
  readonly state: 'live' | 'used' | 'over' | 'unmanaged';
  readonly wrongTries: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Null while the code is live. */
  readonly endedAt: Date | null;
  /** Null once the code has ended. */
  readonly wording: Buffer | null;
  readonly encryptionKeyId: string | null;
  readonly messageId: string;
  readonly resends: number;
  /** Time at which the latest message was accepted. */
  readonly sentAt: Date;
  /** Null for a code without channels. */
  readonly plan: OtpPlan | null;
  /** The step that began last, from 1; null for a code without channels. */
  readonly step: number | null;
  /** The database's time. */
  readonly now: Date;
}

/** A message that carries a code, as described in its answer. */
export interface OtpMessage {
  readonly messageId: string;
  readonly otpId: string;
  readonly recipient: string;
  readonly reference: string | null;
  /** 0 for the first message. */
  readonly resends: number;
  readonly attemptsLeft: number | null;
  readonly sentAt: Date;
  readonly expiresAt: Date;
  /** False for a code that the caller has made. */
  readonly isManaged: boolean;
  /** Null for a code without channels. */
  readonly plan: OtpPlan | null;
  /** Step of the message, from 1. */
  readonly step: number | null;
  /** Time of the step after the one that began last; null if none follows. */
  readonly stepAt: Date | null;
}

/** Parameters: account, code. */
export const findRecord = {
  name: 'otp-record-3',
  text: `
SELECT c.id, c.account_id AS "accountId", c.recipient, c.digits, c.reference, c.wrong_tries AS "wrongTries",
  c.created_at AS "createdAt",
  CASE WHEN c.code_hash IS NULL THEN 'unmanaged' WHEN c.state = 'live' AND c.expires_at <= now() THEN 'over'
    ELSE c.state END AS state,
  c.expires_at AS "expiresAt", CASE WHEN c.expires_at <= now() THEN least(c.expires_at, c.ended_at)
    ELSE c.ended_at END AS "endedAt",
  c.wording, c.encryption_key_id AS "encryptionKeyId", coalesce(r.message_id, c.id) AS "messageId",
  coalesce(r.number, 0) AS resends, coalesce(r.created_at, c.created_at) AS "sentAt", c.steps AS plan,
  c.step::integer AS step, now() AS now
FROM otp_codes c
LEFT JOIN LATERAL (
  SELECT message_id, number, created_at FROM otp_resends WHERE code_id = c.id ORDER BY number DESC LIMIT 1
) r ON true
WHERE c.id = $2 AND c.account_id = $1`,
} as const;

/** Parameters: account, reference. */
export const newestOfReference = {
  name: 'otp-newest-of-reference-1',
  text: `
SELECT id FROM otp_codes WHERE account_id = $1 AND reference = $2 ORDER BY created_at DESC LIMIT 1`,
} as const;

/** Parameter: ids of messages. */
export const findMessages = {
  name: 'otp-messages-3',
  text: `
SELECT c.id AS "messageId", c.id AS "otpId", c.recipient, c.reference, 0 AS resends, NULL::smallint AS "attemptsLeft",
  c.created_at AS "sentAt", c.expires_at AS "expiresAt", c.code_hash IS NOT NULL AS "isManaged",
  c.steps AS plan, 1 AS step, CASE WHEN c.step = 1 THEN c.step_at END AS "stepAt"
FROM otp_codes c WHERE c.id = ANY ($1::uuid[])
UNION ALL
SELECT r.message_id, c.id, c.recipient, c.reference, r.number, r.attempts_left, r.created_at, c.expires_at, true,
  c.steps, r.step::integer, CASE WHEN c.step = r.step THEN c.step_at END
FROM otp_resends r JOIN otp_codes c ON c.id = r.code_id
WHERE r.message_id = ANY ($1::uuid[])`,
} as const;

/** Parameters: message, code, number, attempts left, step. */
const insertResend = {
  name: 'otp-resend-2',
  text: `
INSERT INTO otp_resends (message_id, code_id, number, attempts_left, step) VALUES ($1, $2, $3, $4, $5)
RETURNING created_at AS "sentAt"`,
} as const;

/** Notes that a step is being begun, for the time of a lease. Parameters: code, step, the channels in their order. */
const beginStep = {
  name: 'otp-step-begin-1',
  text: `
UPDATE otp_codes SET step = $2, step_at = now() + interval '${STEP_LEASE_SECONDS} seconds',
  steps = jsonb_set(steps, '{plan}', $3::jsonb)
WHERE id = $1 AND state = 'live'`,
} as const;

/** Parameters: code, step, the channels in their order before. */
const takeStepBack = {
  name: 'otp-step-back-1',
  text: `
UPDATE otp_codes SET step = step - 1, step_at = now(), steps = jsonb_set(steps, '{plan}', $3::jsonb)
WHERE id = $1 AND step = $2 AND state = 'live'`,
} as const;

/** One-time passwords as their account sees them, and the messages that carry them. */
@Injectable()
export class OtpRecordsRepository {
  constructor(private readonly postgres: Postgres) {}

  async find(accountId: string, id: string, tx?: EntityManager): Promise<OtpRecord | undefined> {
    const values = [accountId, id];
    const rows = tx
      ? await this.postgres.run<OtpRecord>(tx, findRecord, values)
      : await this.postgres.query<OtpRecord>(findRecord, values);
    return rows[0];
  }

  async newestOf(accountId: string, reference: string): Promise<string | undefined> {
    const [row] = await this.postgres.query<{ id: string }>(newestOfReference, [accountId, reference]);
    return row?.id;
  }

  /** Returns the messages among these that carry a code. */
  async messages(messageIds: readonly string[], tx?: EntityManager): Promise<OtpMessage[]> {
    if (tx) return this.postgres.run<OtpMessage>(tx, findMessages, [messageIds]);
    return this.postgres.query<OtpMessage>(findMessages, [messageIds]);
  }

  /** Reserves a resend and returns its time. The caller holds the lock of the account's guard. */
  async insertResend(
    tx: EntityManager,
    resend: { messageId: string; codeId: string; number: number; attemptsLeft: number; step?: number | undefined },
  ): Promise<Date> {
    const { messageId, codeId, number, attemptsLeft, step = null } = resend;
    const [row] = await this.postgres.run<{ sentAt: Date }>(tx, insertResend, [
      messageId,
      codeId,
      number,
      attemptsLeft,
      step,
    ]);
    if (!row) throw new Error('A resend was not stored');
    return row.sentAt;
  }

  /** Notes that a step of a code is being begun, for the time of a lease. */
  async beginStep(tx: EntityManager, codeId: string, { place, plan }: ReservedStep): Promise<void> {
    await this.postgres.run(tx, beginStep, [codeId, place, JSON.stringify(plan.plan)]);
  }

  /** Takes a step back that was not accepted: what follows the step before is decided again. */
  async takeStepBack(codeId: string, { place, former }: ReservedStep): Promise<void> {
    await this.postgres.query(takeStepBack, [codeId, place, JSON.stringify(former.plan)]);
  }

  /** Removes resends whose messages were not accepted. */
  async removeResends(messageIds: readonly string[]): Promise<void> {
    const text = 'DELETE FROM otp_resends WHERE message_id = ANY ($1::uuid[])';
    await this.postgres.query({ name: 'otp-resends-remove-1', text }, [messageIds]);
  }
}
