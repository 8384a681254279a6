import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { StatusUpdates, type MessageEvents, type Transition } from '../messages/status/status-updates.js';
import { Postgres } from '../platform/database/postgres.js';
import { retryUndone } from '../platform/errors/database-error.js';
import { AccountEvents } from '../platform/events/account-events.js';
import { publicMessageId, publicOtpId } from '../rules/ids.js';
import { WebhookEvents, type WebhookEvent } from '../webhooks/webhook-events.js';
import { OtpCodesRepository, type ExpiredCode } from './otp-codes.repository.js';
import { OtpRecordsRepository } from './otp-records.repository.js';
import { Every } from '../platform/schedules/every.js';
import { OtpStepsRepository } from './steps/otp-steps.repository.js';

const EXPIRY_EVERY_MS = 5_000;

const EXPIRED_MAX = 500;

interface EventCode {
  readonly id: string;
  readonly accountId: string;
  readonly recipient: string;
  readonly reference: string | null;
  /** The first message by default. */
  readonly messageId?: string;
}

/**
 * Returns the event of a code. A code has at most one event of each type, so its id identifies the
 * event.
 */
export function otpEvent(
  type: 'otp.sent' | 'otp.verified' | 'otp.failed' | 'otp.expired',
  { id, accountId, recipient, reference, messageId = id }: EventCode,
  fields: Readonly<Record<string, unknown>>,
): WebhookEvent {
  const payload = {
    otp_id: publicOtpId(id),
    message_id: publicMessageId(messageId),
    to: recipient,
    ...(reference !== null && { reference }),
    ...fields,
  };
  return { accountId, type, sourceId: id, payload };
}

export function expiredEvent(code: ExpiredCode): WebhookEvent {
  return otpEvent('otp.expired', code, { expired_at: code.endsAt.toISOString() });
}

/**
 * Reports codes that the carrier has accepted, in the transaction that records it, and expired
 * codes, which a scheduled task ends. Every change of a code's state holds the lock of its
 * account's guard, so a code ends once.
 */
@Injectable()
export class OtpEvents implements MessageEvents {
  constructor(
    private readonly postgres: Postgres,
    private readonly codes: OtpCodesRepository,
    private readonly records: OtpRecordsRepository,
    private readonly webhookEvents: WebhookEvents,
    private readonly accountEvents: AccountEvents,
    private readonly steps: OtpStepsRepository,
    statusUpdates: StatusUpdates,
  ) {
    statusUpdates.register(this);
  }

  async eventsOf(tx: EntityManager, transitions: readonly Transition[]): Promise<WebhookEvent[]> {
    const carried = transitions.filter(({ kind, status }) => kind === 'otp' && status !== 'failed');
    if (carried.length === 0) return [];
    const accountOf = new Map(carried.map(({ id, accountId }) => [id, accountId]));
    const messages = await this.records.messages([...accountOf.keys()], tx);
    const planned = messages.filter(({ plan }) => plan !== null).map(({ otpId }) => otpId);
    const stepFields = await this.steps.eventFields(tx, planned);
    return messages.flatMap(({ messageId, otpId: id, recipient, reference, expiresAt }) => {
      const accountId = accountOf.get(messageId);
      if (accountId === undefined) return [];
      const code = { id, accountId, recipient, reference, messageId };
      const fields = {
        ...stepFields.get(id),
        message_id: publicMessageId(messageId),
        expires_at: expiresAt.toISOString(),
      };
      return [otpEvent('otp.sent', code, fields)];
    });
  }

  /** Reports changed codes: their events, and to open pages. */
  async report(
    tx: EntityManager,
    changed: readonly Pick<EventCode, 'id' | 'accountId'>[],
    events: readonly WebhookEvent[],
  ): Promise<void> {
    const recorded = await this.webhookEvents.recordAll(tx, events);
    this.postgres.afterCommit(tx, () => {
      this.webhookEvents.enqueue(recorded);
      for (const { accountId, id } of changed) this.accountEvents.changed(accountId, id);
    });
  }

  /**
   * Ends a batch of expired codes; returns whether there may be more. Safe in several workers at
   * once.
   */
  @Every({ name: 'otp expiry', everyMs: EXPIRY_EVERY_MS, whileMore: true })
  async expire(): Promise<boolean> {
    return retryUndone(() =>
      this.postgres.transaction(async (tx) => {
        const { found, expired } = await this.codes.endExpired(tx, EXPIRED_MAX);
        await this.report(tx, expired, expired.map(expiredEvent));
        return found === EXPIRED_MAX;
      }),
    );
  }
}
