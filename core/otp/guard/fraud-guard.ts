import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import type { OtpGuardState } from '#contract/otp.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';
import { retryUndone } from '../../platform/errors/database-error.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { AccountRequests } from '../../platform/places/account-requests.js';
import { AccountEvents } from '../../platform/events/account-events.js';
import { newMessageId, publicOtpId, uuidOfBytes } from '../../rules/ids.js';
import { clientNetwork } from '../../rules/network-addresses.js';
import { mailboxOf, type OtpStep } from '../../rules/otp-channels.js';
import { numberBlockOf } from '../../rules/phone-numbers.js';
import { WebhookEvents } from '../../webhooks/webhook-events.js';
import { isExceeded, judgeMessages, type GuardReading, type GuardRefusal, type SubjectKey } from './guard-rules.js';
import {
  GuardRepository,
  type BlockRow,
  type BreakerReset,
  type GuardedMessage,
  type NewBlock,
} from './guard.repository.js';
import { lockGuards } from './otp-guards.sql.js';

/** Recipient of a message, and the caller's data about the end user who asked for it. */
export interface EndUser {
  readonly accountId: string;
  readonly recipient: string;
  readonly ip: string | undefined;
  readonly device: string | undefined;
  /** How the code reaches the recipient; undefined for a text message to the recipient. */
  readonly step?: Pick<OtpStep, 'channel' | 'to'> | undefined;
}

interface JudgedMessage extends GuardedMessage {
  /** False for a code that the caller has made. */
  readonly isManaged: boolean;
}

/**
 * Refuses one-time passwords that look like fraud, by the rules of the table `otp_rules`.
 * Recipients and calls are counted over all accounts; network addresses, devices and number blocks by
 * account, because a caller can make them up. Addresses and devices are stored as keyed hashes.
 */
@Injectable()
export class FraudGuard {
  private readonly hashSecret: KeyObject;

  constructor(
    { otp }: Config,
    private readonly postgres: Postgres,
    private readonly repository: GuardRepository,
    private readonly webhookEvents: WebhookEvents,
    private readonly auditLog: AuditLog,
    private readonly accountEvents: AccountEvents,
    private readonly accountRequests: AccountRequests,
  ) {
    this.hashSecret = createSecretKey(otp.hashSecret, 'base64');
  }

  /** Returns the subjects that a message counts for. */
  subjectsOf({ accountId, recipient, ip, device, step }: EndUser): SubjectKey[] {
    const network = ip === undefined ? undefined : clientNetwork(ip);
    return [
      ...this.subjectsOfStep(accountId, step ?? { channel: 'sms', to: recipient }),
      ...(network === undefined ? [] : [{ subject: 'ip' as const, key: this.key('ip', accountId, network) }]),
      ...(device === undefined ? [] : [{ subject: 'device' as const, key: this.key('device', accountId, device) }]),
    ];
  }

  /** Returns the subjects that the number or address of a step counts for. */
  private subjectsOfStep(accountId: string, { channel, to }: Pick<OtpStep, 'channel' | 'to'>): SubjectKey[] {
    if (channel === 'email') return [{ subject: 'recipient', key: this.key('recipient', mailboxOf(to)) }];
    const block = this.key('block', accountId, numberBlockOf(to).block);
    const subjects: SubjectKey[] = [
      { subject: 'recipient', key: this.key('recipient', to) },
      { subject: 'block', key: block },
    ];
    if (channel !== 'voice') return subjects;
    return [
      ...subjects,
      { subject: 'call', key: this.key('call', to) },
      { subject: 'caller', key: this.key('caller', accountId) },
    ];
  }

  /**
   * Judges messages before they are reserved. The caller holds the locks of their accounts; this
   * call locks the recipients, so that the counts are exact over all processes. The rules about
   * verified codes do not hold for a code that the account verifies itself.
   */
  async judge(tx: EntityManager, messages: readonly JudgedMessage[]): Promise<(GuardRefusal | undefined)[]> {
    await this.repository.lockRecipients(tx, messages);
    const readings = await this.repository.readings(messages, tx);
    return judgeMessages(
      readings.map((those, place) =>
        messages[place]?.isManaged ? those : those.filter(({ verifiedPercentMin }) => verifiedPercentMin === null),
      ),
    );
  }

  /** Counts messages that the guard let pass. */
  record(tx: EntityManager, messages: Parameters<GuardRepository['insertSends']>[1]): Promise<void> {
    return this.repository.insertSends(tx, messages);
  }

  /** Uncounts messages that were not accepted. */
  forget(messageIds: readonly string[]): Promise<void> {
    return this.repository.removeSends(messageIds);
  }

  /**
   * Returns the subjects that a message with a code counts for: those of the code's first message, with the number or
   * address of the step if the code has channels.
   */
  async subjectsOfCode(
    tx: EntityManager,
    { id, accountId }: { readonly id: string; readonly accountId: string },
    step?: Pick<OtpStep, 'channel' | 'to'>,
  ): Promise<SubjectKey[]> {
    const subjects = await this.repository.subjectsOf(tx, id);
    if (!step) return subjects;
    const ofEndUser = subjects.filter(({ subject }) => subject === 'ip' || subject === 'device');
    return [...this.subjectsOfStep(accountId, step), ...ofEndUser];
  }

  /**
   * Records a refusal, reports the first of an hour as `otp.blocked`, and returns the refusal's
   * public id. Throws as {@link AccountRequests} does.
   */
  async block(block: Omit<NewBlock, 'id'>): Promise<string> {
    const { accountId, recipient: to, reference, figures } = block;
    const store = () =>
      this.postgres.change(async (tx) => {
        const origin = numberBlockOf(to);
        const { id, isNew } = await this.repository.block(tx, origin.country, { ...block, id: newMessageId() });
        const otpId = publicOtpId(id);
        if (!isNew) return otpId;
        const { rule, sent, verified } = figures;
        const payload = {
          otp_id: otpId,
          to,
          ...(reference !== undefined && { reference }),
          rule,
          ...origin,
          sent,
          verified,
          blocked_at: new Date().toISOString(),
        };
        const recorded = await this.webhookEvents.record(tx, { accountId, type: 'otp.blocked', sourceId: id, payload });
        this.postgres.afterCommit(tx, () => {
          this.webhookEvents.enqueue([recorded]);
          this.accountEvents.notificationsChanged(accountId);
        });
        return otpId;
      });
    return this.accountRequests.change(accountId, () => retryUndone(store));
  }

  /** Returns the rules, and their refusals within the last hour, with current figures. */
  async state(accountId: string): Promise<OtpGuardState> {
    const rules = await this.repository.rules();
    const blocks = await this.repository.recentBlocks(accountId, limits.otpBlocksShownMax);
    const readings = await this.repository.readings(
      blocks.map(({ key }) => ({ accountId, subjects: anySubject(key) })),
    );
    const blocked = blocks.map((block, index) => blockView(block, readings[index] ?? []));
    const { resetAt, now } = await this.repository.findReset(accountId);
    const nextResetAt = resetAt && new Date(resetAt.getTime() + limits.otpGuardResetSeconds * 1_000);
    return {
      suspicious: blocked.some(({ open, verified }) => open && verified !== null),
      rules: rules.map(({ rule, subject, sendsMax, windowSeconds, verifiedPercentMin }) => ({
        rule,
        counts: subject,
        sends_max: sendsMax,
        window_seconds: windowSeconds,
        verified_percent_min: verifiedPercentMin,
      })),
      blocked,
      reset_at: resetAt?.toISOString() ?? null,
      next_reset_at: nextResetAt && nextResetAt > now ? nextResetAt.toISOString() : null,
    };
  }

  /**
   * Lets the rules about verified codes count from now, once an hour. Throws `otp_reset_too_early`.
   */
  async reset(accountId: string, address: string): Promise<void> {
    refuseEarly(await this.repository.findReset(accountId));
    await this.postgres.change(async (tx) => {
      await lockGuards(this.postgres, tx, [{ accountId }]);
      refuseEarly(await this.repository.findReset(accountId, tx));
      await this.repository.reset(tx, accountId);
      await this.auditLog.record(tx, { actor: 'account', accountId, action: 'otp.guard_reset', address });
    });
  }

  /** Returns a keyed hash of the parts, in the form of a UUID. */
  private key(...parts: readonly string[]): string {
    return uuidOfBytes(createHmac('sha256', this.hashSecret).update(JSON.stringify(parts)).digest());
  }
}

/** Throws `otp_reset_too_early`. */
function refuseEarly({ resetAt, now }: BreakerReset): void {
  const nextMs = resetAt ? resetAt.getTime() + limits.otpGuardResetSeconds * 1_000 : 0;
  if (nextMs <= now.getTime()) return;
  const retryAfterSeconds = Math.ceil((nextMs - now.getTime()) / 1_000);
  throw new DomainError('otp_reset_too_early', 'The guard was reset within the last hour.', { retryAfterSeconds });
}

/** A refusal stores the key of its subject without the subject's kind. */
function anySubject(key: string): SubjectKey[] {
  return (['recipient', 'ip', 'device', 'block', 'call', 'caller'] as const).map((subject) => ({ subject, key }));
}

function blockView(block: BlockRow, readings: readonly GuardReading[]): OtpGuardState['blocked'][number] {
  const { id, rule, recipient, refused, createdAt, lastAt } = block;
  const reading = readings.find((one) => one.rule === rule);
  return {
    otp_id: publicOtpId(id),
    rule,
    to: recipient,
    ...numberBlockOf(recipient),
    sent: reading?.ages.length ?? 0,
    verified: reading?.verifiedPercentMin ? reading.verified : null,
    refused,
    open: reading !== undefined && isExceeded(reading, reading.ages.length),
    first_at: createdAt.toISOString(),
    last_at: lastAt.toISOString(),
  };
}
