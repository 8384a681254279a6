import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { OtpChannel, OtpStepView } from '#contract/otp-channels.js';
import type { MessageStatus } from '#contract/messages.js';
import { newYorkDayOf } from '../../messages/store/day-reservations.sql.js';
import { Postgres } from '../../platform/database/postgres.js';
import { isDueAndFree } from '../../platform/durable-work/durable-work.js';
import { publicMessageId } from '../../rules/ids.js';
import { channelOf } from '../../rules/otp-channels.js';
import { type LoggedOtp, stepsOf } from '../otp-state.js';
import { messagesOfCode } from '../messages-of-code.sql.js';
import { type ReservedStep, STEP_LEASE_SECONDS } from './otp-plan.js';

/** Codes whose next steps one statement takes. */
export const STEPS_TAKEN_MAX = 200;

/** A code whose next step is due. */
export interface DueStep {
  readonly id: string;
  readonly accountId: string;
  /** The step that began last, from 1. */
  readonly step: number;
  /** Its message; null if that was taken back. */
  readonly messageId: string | null;
  /** State of its message; null if it was not accepted. */
  readonly status: MessageStatus | null;
  /** Whether the message was refused, and nothing was charged. */
  readonly isRefused: boolean;
  /** Whether a message of the code has arrived, also of an earlier step. */
  readonly isDelivered: boolean;
  /** Seconds since it was accepted; null if it was not. */
  readonly ageSeconds: number | null;
  /** Seconds until the next step. */
  readonly waitSeconds: number;
}

/**
 * Takes codes whose next step is due, for the time of a lease. No index entry of other codes is read: a code without a
 * next step has none.
 */
export const takeDueSteps = {
  name: 'otp-steps-due-1',
  text: `
WITH taken AS MATERIALIZED (
  UPDATE otp_codes SET step_at = now() + interval '${STEP_LEASE_SECONDS} seconds'
  WHERE ${isDueAndFree('otp_codes', STEPS_TAKEN_MAX, { due: 'step_at' })}
  RETURNING id, account_id, step, steps
)
SELECT taken.id, taken.account_id AS "accountId", taken.step::integer AS step, latest.id AS "messageId", m.status,
  coalesce(taken.steps -> 'refused' ? latest.id::text, false) AS "isRefused",
  EXISTS (
    SELECT FROM messages d WHERE d.status = 'delivered' AND d.id IN (
      SELECT taken.id UNION ALL SELECT r.message_id FROM otp_resends r WHERE r.code_id = taken.id
    )
  ) AS "isDelivered",
  floor(extract(epoch FROM now() - m.created_at))::integer AS "ageSeconds",
  (taken.steps #>> ARRAY['plan', (taken.step - 1)::text, 'waitSeconds'])::integer AS "waitSeconds"
FROM taken
LEFT JOIN LATERAL (
  SELECT s.id FROM (
    SELECT taken.id, 0 AS number WHERE taken.step = 1
    UNION ALL
    SELECT r.message_id, r.number FROM otp_resends r WHERE r.code_id = taken.id AND r.step = taken.step
  ) s ORDER BY s.number DESC LIMIT 1
) latest ON true
LEFT JOIN LATERAL (SELECT status, created_at FROM messages WHERE messages.id = latest.id OFFSET 0) m ON true`,
} as const;

/**
 * Sets the time of the next step, null for none, unless another step has begun or the code has ended. Parameters:
 * code, step, seconds or null.
 */
const setNextStep = {
  name: 'otp-step-next-1',
  text: `
UPDATE otp_codes SET step_at = now() + make_interval(secs => $3)
WHERE id = $1 AND step = $2 AND state = 'live' AND expires_at > now()`,
} as const;

/** As {@link setNextStep}, for a step that was refused. Parameters: code, step, message, error, seconds. */
const noteRefusal = {
  name: 'otp-step-refused-1',
  text: `
UPDATE otp_codes
SET step_at = CASE WHEN step = $2 AND state = 'live' THEN now() + make_interval(secs => $5) ELSE step_at END,
  steps = jsonb_set(steps, '{refused}', coalesce(steps -> 'refused', '{}') || jsonb_build_object($3::text, $4::text))
WHERE id = $1 AND steps IS NOT NULL`,
} as const;

/** Makes the next step of codes due, whose latest message is one of these. Parameter: messages. */
export const hastenSteps = {
  name: 'otp-steps-hasten-1',
  text: `
UPDATE otp_codes c SET step_at = now()
FROM (
  SELECT id AS code_id, 1 AS step FROM unnest($1::uuid[]) AS first (id)
  UNION ALL
  SELECT code_id, step FROM otp_resends WHERE message_id = ANY ($1::uuid[])
) ended
WHERE c.id = ended.code_id AND c.step = ended.step AND c.step_at > now() AND c.state = 'live'`,
} as const;

/**
 * Ends the steps of codes that were entered or have had too many wrong tries. Notes after which message a code was
 * entered: the latest that a carrier had taken, otherwise the first. Deletes the texts of messages that no worker has
 * claimed, so that they are not sent, and are refunded; a message in doubt is found at its carrier by its text.
 * Parameter: codes.
 */
export const endPlans = {
  name: 'otp-plans-end-1',
  text: `
WITH sent AS MATERIALIZED (
  SELECT c.id AS code_id, c.state, s.id, s.number, s.step, m.status, m.recipient, m.country, m.account_id, c.created_at,
    row_number() OVER (
      PARTITION BY c.id ORDER BY m.status IN ('sent', 'delivered') DESC NULLS LAST,
        CASE WHEN m.status IN ('sent', 'delivered') THEN -s.number ELSE s.number END
    ) AS rank
  FROM otp_codes c
  CROSS JOIN LATERAL (
    SELECT c.id, 0 AS number, 1 AS step
    UNION ALL
    SELECT r.message_id, r.number, r.step FROM otp_resends r WHERE r.code_id = c.id
  ) s
  LEFT JOIN LATERAL (SELECT * FROM messages WHERE messages.id = s.id OFFSET 0) m ON true
  WHERE c.id = ANY ($1::uuid[]) AND c.steps IS NOT NULL
),
entered AS (
  UPDATE otp_codes c SET entered_step = sent.number + 1,
    steps = jsonb_set(c.steps, '{entered}', coalesce(c.steps #> ARRAY['plan', (sent.step - 1)::text, 'channel'], '""'))
  FROM sent
  WHERE sent.code_id = c.id AND sent.rank = 1 AND sent.state = 'used'
),
unsent AS (
  DELETE FROM sealed_texts WHERE message_id IN (SELECT id FROM sent WHERE coalesce(status, 'queued') = 'queued')
)
SELECT account_id AS "accountId", recipient, country, created_at AS "createdAt"
FROM sent WHERE rank = 1 AND state = 'used' AND recipient IS NOT NULL`,
} as const;

/** Codes with channels and their messages. Parameter: codes. */
export const findSteps = {
  name: 'otp-steps-1',
  text: `
SELECT c.id, c.recipient, c.steps AS plan, c.entered_step::integer AS "enteredStep", sends.messages
FROM otp_codes c
CROSS JOIN LATERAL (${messagesOfCode}) sends
WHERE c.id = ANY ($1::uuid[]) AND c.steps IS NOT NULL`,
} as const;

/** Fields of events about a code with channels: message and channel of the step that was entered, or of the latest. */
export interface StepFields {
  readonly message_id: string;
  readonly channel: OtpChannel;
  readonly entered_step: number | null;
  readonly steps: readonly OtpStepView[];
}

/** A message of a code, as it is counted. */
export interface CountedStep {
  readonly accountId: string;
  readonly country: string;
  readonly channel: string;
  /** Time when the code was made. */
  readonly createdAt: Date;
}

/** Counts steps and codes entered after them. Parameters: arrays of account, time, country, channel; sent, verified. */
export const countSteps = {
  name: 'otp-channel-days-1',
  text: `
INSERT INTO otp_channel_days AS d (account_id, day, country, channel, sent, verified)
SELECT account_id, ${newYorkDayOf('at')} AS day, country, channel, count(*) * $5::integer, count(*) * $6::integer
FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[]) AS v (account_id, at, country, channel)
GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
ON CONFLICT (account_id, day, country, channel) DO UPDATE
SET sent = d.sent + excluded.sent, verified = d.verified + excluded.verified`,
} as const;

/** The plans of codes with channels, and the step that began last. */
@Injectable()
export class OtpStepsRepository {
  constructor(private readonly postgres: Postgres) {}

  takeDue(): Promise<DueStep[]> {
    return this.postgres.query<DueStep>(takeDueSteps, []);
  }

  /** `seconds`: time until the next step; undefined if none follows. */
  async setNext(id: string, step: number, seconds: number | undefined): Promise<void> {
    await this.postgres.query(setNextStep, [id, step, seconds ?? null]);
  }

  /** Notes the error by which a step was refused; the next step is due at once. */
  async refuse(
    tx: EntityManager,
    otpId: string,
    refused: ReservedStep & { readonly messageId: string; readonly code: string },
  ): Promise<void> {
    const { plan, place, messageId, code } = refused;
    await this.postgres.run(tx, noteRefusal, [otpId, place, messageId, code, plan.plan[place] ? 0 : null]);
  }

  async hasten(messageIds: readonly string[]): Promise<void> {
    await this.postgres.query(hastenSteps, [messageIds]);
  }

  /** Ends the steps of codes, and counts those that were entered for the channels of their last messages. */
  async end(tx: EntityManager, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    type Entered = Omit<CountedStep, 'channel'> & { readonly recipient: string };
    const entered = await this.postgres.run<Entered>(tx, endPlans, [ids]);
    const counted = entered.map(({ recipient, ...step }) => ({ ...step, channel: channelOf(recipient) }));
    await this.count(tx, counted, { verified: 1 });
  }

  /** Returns the fields of events about codes with channels, by code. */
  async eventFields(tx: EntityManager, ids: readonly string[]): Promise<ReadonlyMap<string, StepFields>> {
    if (ids.length === 0) return new Map();
    type Found = Pick<LoggedOtp, 'id' | 'plan' | 'recipient' | 'messages' | 'enteredStep'>;
    const found = await this.postgres.run<Found>(tx, findSteps, [ids]);
    return new Map(
      found.map((code) => {
        const steps = stepsOf(code);
        const place = code.enteredStep ?? steps.length;
        const channel = steps[place - 1]?.channel ?? 'sms';
        const message_id = publicMessageId(code.messages[place - 1]?.id ?? code.id);
        return [code.id, { message_id, channel, entered_step: code.enteredStep, steps }];
      }),
    );
  }

  async count(tx: EntityManager, steps: readonly CountedStep[], { sent = 0, verified = 0 }): Promise<void> {
    if (steps.length === 0) return;
    await this.postgres.run(tx, countSteps, [
      steps.map(({ accountId }) => accountId),
      steps.map(({ createdAt }) => createdAt),
      steps.map(({ country }) => country),
      steps.map(({ channel }) => channel),
      sent,
      verified,
    ]);
  }
}
