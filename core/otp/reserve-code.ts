import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { OtpChannel } from '#contract/otp-channels.js';
import { limits } from '#contract/limits.js';
import { AccountRequests } from '../platform/places/account-requests.js';
import { OtpPayloads } from '../messages/store/otp-payloads.js';
import { Config } from '../platform/config/config.js';
import { GroupCommit, requestLimits } from '../platform/database/group-commit.js';
import { Postgres } from '../platform/database/postgres.js';
import { retryUndone } from '../platform/errors/database-error.js';
import { DomainError } from '../platform/errors/domain-error.js';
import type { OtpText } from '../rules/otp.js';
import { channelText } from '../rules/otp-channels.js';
import { type EndUser, FraudGuard } from './guard/fraud-guard.js';
import type { GuardRefusal, SubjectKey } from './guard/guard-rules.js';
import { type InsertedCode, type NewCode, OtpCodesRepository } from './otp-codes.repository.js';
import { expiredEvent, OtpEvents } from './otp-events.js';
import { lockGuards } from './guard/otp-guards.sql.js';
import { OtpSecrets } from './otp-secrets.js';
import { type OtpRecord, OtpRecordsRepository } from './otp-records.repository.js';
import { publicOtpId } from '../rules/ids.js';
import { endedRefusal, notResendable, otpNotFound, resendRefusal } from './otp-state.js';
import { type ReservedStep, stepAskedFor } from './steps/otp-plan.js';

const BATCH_MAX = 100;
/** Parallel batches would mostly wait for each other's locks. */
const BATCHES_IN_FLIGHT_MAX = 1;
/** Reservations that are removed in one round trip. */
const REMOVED_MAX = 100;
const CODES_TRIED_MAX = 20;
const RETRY_WHEN_CROWDED_SECONDS = 60;

/** A code to reserve, and the wording of its message. `ownCode`: the code, if the caller has made it. */
type CodeOrder = Omit<NewCode, 'codeHash' | 'wording'> &
  Omit<OtpText, 'code'> &
  EndUser & { readonly ownCode?: string | undefined };

interface Candidate {
  readonly order: NewCode;
  readonly text: string;
  readonly subjects: readonly SubjectKey[];
}

type Outcome = InsertedCode | GuardRefusal | 'taken';

/**
 * Reserves codes before their messages are accepted: a crash leaves a code that was never sent, not
 * a sent code that cannot be verified. Requests that arrive together share a transaction, which
 * stores the codes' hashes and the encrypted texts.
 */
@Injectable()
export class ReserveCode {
  private readonly candidates: GroupCommit<Candidate, Outcome>;
  private readonly removals: GroupCommit<string, undefined>;

  constructor(
    private readonly postgres: Postgres,
    private readonly codes: OtpCodesRepository,
    private readonly otpPayloads: OtpPayloads,
    private readonly secrets: OtpSecrets,
    private readonly guard: FraudGuard,
    private readonly events: OtpEvents,
    config: Config,
  ) {
    this.candidates = new GroupCommit({
      ...requestLimits(config),
      batchMax: BATCH_MAX,
      inFlightMax: BATCHES_IN_FLIGHT_MAX,
      run: (batch) => this.reserveBatch(batch),
    });
    this.removals = removalsOf(config, async (ids) => {
      await this.codes.remove(ids);
      await this.guard.forget(ids);
      await this.otpPayloads.discard(ids);
    });
  }

  /** Returns the fraud guard's refusal, and `unavailable` when no code of this length is free. */
  async reserve(wanted: CodeOrder): Promise<InsertedCode | GuardRefusal | DomainError> {
    const { org, domain, ip, device, ownCode, ...order } = wanted;
    const step = order.plan?.plan[0];
    const subjects = this.guard.subjectsOf({ ...order, ip, device, step });
    const textOf = (code: string) => channelText(step?.channel ?? 'sms', { code, org, domain }, order.plan?.language);
    if (ownCode !== undefined) {
      const text = textOf(ownCode);
      const outcome = await this.candidates.submit({
        order: { ...order, codeHash: null, wording: null },
        text,
        subjects,
      });
      if (outcome === 'taken') throw new Error('A code without a hash has taken the place of another');
      return outcome;
    }
    for (let tried = 0; tried < CODES_TRIED_MAX; tried += 1) {
      const code = this.secrets.generate(order.digits);
      const codeHash = this.secrets.hash(order.accountId, code);
      const wording = this.secrets.encrypt({ code, org, domain });
      const candidate = { order: { ...order, codeHash, wording }, text: textOf(code), subjects };
      const outcome = await this.candidates.submit(candidate);
      if (outcome !== 'taken') return outcome;
    }
    const detail = 'Too many codes of this length are live. You were not charged; ask for longer ones.';
    return new DomainError('unavailable', detail, { retryAfterSeconds: RETRY_WHEN_CROWDED_SECONDS });
  }

  /** A keyed hash of a code that the caller has made, by which a repeated request is known. */
  fingerprintOf(ownCode: string): string {
    return this.secrets.fingerprint(ownCode);
  }

  /** Removes a code whose message was not accepted. */
  async release(id: string): Promise<void> {
    await this.removals.submit(id);
  }

  private reserveBatch(batch: Candidate[]): Promise<Outcome[]> {
    return retryUndone(() =>
      this.postgres.transaction(async (tx) => {
        const orders = batch.map(({ order }) => order);
        await lockGuards(this.postgres, tx, orders);
        const messages = batch.map(({ order: { accountId, codeHash }, subjects }) => ({
          accountId,
          subjects,
          isManaged: codeHash !== null,
        }));
        const refusals = await this.guard.judge(tx, messages);
        const open = batch.filter((_candidate, index) => refusals[index] === undefined);
        const { inserted, expired } = await this.codes.insert(
          tx,
          open.map(({ order }) => order),
        );
        const kept = open.filter(({ order }) => inserted.has(order.id));
        const plans = kept.flatMap(({ order: { id, plan } }) => (plan ? [{ id, plan }] : []));
        await this.codes.storePlans(tx, plans);
        await this.guard.record(
          tx,
          kept.map(({ order, subjects }) => ({ messageId: order.id, subjects })),
        );
        await this.otpPayloads.keep(
          tx,
          kept.map(({ order, text }) => ({ messageId: order.id, text, usefulSeconds: order.minutes * 60 })),
        );
        await this.events.report(tx, expired, expired.map(expiredEvent));
        return orders.map(({ id }, index) => refusals[index] ?? inserted.get(id) ?? 'taken');
      }),
    );
  }
}

/** A reserved message that repeats a code. */
export interface ReservedResend {
  readonly recipient: string;
  readonly reference: string | null;
  /** Undefined for a code without channels. */
  readonly begun: ReservedStep | undefined;
  readonly text: OtpText;
  /** Number of the resend, from 1. */
  readonly resends: number;
  readonly attemptsLeft: number;
  readonly sentAt: Date;
  readonly expiresAt: Date;
}

/** Removes reservations of refused messages, in shared round trips. */
function removalsOf(config: Config, remove: (ids: string[]) => Promise<void>): GroupCommit<string, undefined> {
  return new GroupCommit({
    ...requestLimits(config),
    batchMax: REMOVED_MAX,
    inFlightMax: BATCHES_IN_FLIGHT_MAX,
    run: async (ids: string[]) => {
      await remove(ids);
      return ids.map(() => undefined);
    },
  });
}

/**
 * Reserves resends before their messages are accepted: a crash can use up a resend that was never
 * sent.
 */
@Injectable()
export class ReserveResend {
  private readonly removals: GroupCommit<string, undefined>;

  constructor(
    private readonly postgres: Postgres,
    private readonly records: OtpRecordsRepository,
    private readonly otpPayloads: OtpPayloads,
    private readonly secrets: OtpSecrets,
    private readonly guard: FraudGuard,
    private readonly accountRequests: AccountRequests,
    config: Config,
  ) {
    this.removals = removalsOf(config, async (ids) => {
      await this.records.removeResends(ids);
      await this.guard.forget(ids);
      await this.otpPayloads.discard(ids);
    });
  }

  /**
   * Reserves a message. A code with channels begins its next step, or sends again by the channel that the caller names.
   * Returns `otp_not_found`, `otp_not_resendable`, `otp_resend_too_early` and the fraud guard's refusals. Throws as
   * {@link AccountRequests} does.
   */
  async reserve(
    accountId: string,
    otpId: string,
    messageId: string,
    channel?: OtpChannel,
  ): Promise<ReservedResend | GuardRefusal | DomainError> {
    const reserve = () =>
      this.postgres.change(async (tx) => {
        const record = await this.locked(tx, accountId, otpId);
        if (!record) return otpNotFound(publicOtpId(otpId));
        const begun = stepAskedFor(record, channel);
        if (begun instanceof DomainError) return begun;
        const refusal = begun?.isNew === true ? endedRefusal(record) : resendRefusal(record);
        return refusal ?? this.reserveIn(tx, record, messageId, begun);
      });
    return this.accountRequests.change(accountId, () => retryUndone(reserve));
  }

  /** Removes a resend whose message was not accepted, and takes its step back. */
  async release(messageId: string, codeId: string, begun: ReservedStep | undefined): Promise<void> {
    if (begun?.isNew === true) await this.records.takeStepBack(codeId, begun);
    await this.removals.submit(messageId);
  }

  /** Uncounts a step that was refused, and deletes its text. */
  async undo(messageId: string): Promise<void> {
    await this.guard.forget([messageId]);
    await this.otpPayloads.discard([messageId]);
  }

  /** Stores a step that the fraud guard has refused, so that the account sees it. */
  async keepIn(tx: EntityManager, record: OtpRecord, messageId: string, begun: ReservedStep): Promise<void> {
    const attemptsLeft = limits.otpTriesMax - record.wrongTries;
    const resend = { messageId, codeId: record.id, number: record.resends + 1, attemptsLeft, step: begun.place };
    await this.records.insertResend(tx, resend);
    await this.records.beginStep(tx, record.id, begun);
  }

  /** Locks the account's guard and reads a code. */
  async locked(tx: EntityManager, accountId: string, otpId: string): Promise<OtpRecord | undefined> {
    await lockGuards(this.postgres, tx, [{ accountId }]);
    return this.records.find(accountId, otpId, tx);
  }

  /** Reserves a message of a code that {@link locked} has read. */
  async reserveIn(
    tx: EntityManager,
    record: OtpRecord,
    messageId: string,
    begun: ReservedStep | undefined,
  ): Promise<ReservedResend | GuardRefusal | DomainError> {
    const { id: codeId, recipient, reference, wording, encryptionKeyId: keyId, expiresAt, now } = record;
    // The wording is kept as long as the code lives.
    if (!wording) return notResendable('This code has ended. Send a new one.');
    const subjects = await this.guard.subjectsOfCode(tx, record, begun?.step);
    const [fraud] = await this.guard.judge(tx, [{ accountId: record.accountId, subjects, isManaged: true }]);
    if (fraud) return fraud;
    await this.guard.record(tx, [{ messageId, subjects }]);
    const text = this.secrets.decrypt({ ciphertext: wording, keyId });
    const resends = record.resends + 1;
    const attemptsLeft = limits.otpTriesMax - record.wrongTries;
    const resend = { messageId, codeId, number: resends, attemptsLeft, step: begun?.place };
    const sentAt = await this.records.insertResend(tx, resend);
    if (begun?.isNew === true) await this.records.beginStep(tx, codeId, begun);
    const usefulSeconds = Math.floor((expiresAt.getTime() - now.getTime()) / 1_000);
    const body = channelText(begun?.step.channel ?? 'sms', text, begun?.plan.language);
    await this.otpPayloads.keep(tx, [{ messageId, text: body, usefulSeconds }]);
    return { recipient, reference, begun, text, resends, attemptsLeft, sentAt, expiresAt };
  }
}
