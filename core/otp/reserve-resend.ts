import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { OtpPayloads } from '../messages/otp-payloads.js';
import { Postgres } from '../platform/database/postgres.js';
import { retryUndone } from '../platform/database/database-error.js';
import type { DomainError } from '../platform/errors/domain-error.js';
import { otpText, type OtpText } from '../rules/otp.js';
import { FraudGuard } from './guard/fraud-guard.js';
import type { GuardRefusal } from './guard/guard-rules.js';
import { GuardRepository } from './guard/guard.repository.js';
import { OtpCodesRepository } from './otp-codes.repository.js';
import { OtpRecordsRepository } from './otp-records.repository.js';
import { OtpSecrets } from './otp-secrets.js';
import { notResendable, otpNotFound, resendRefusal } from './otp-state.js';

/** A reserved message that repeats a code. */
export interface ReservedResend {
  readonly recipient: string;
  readonly reference: string | null;
  readonly text: OtpText;
  /** Which resend of the code it is, from 1. */
  readonly resends: number;
  readonly attemptsLeft: number;
  readonly sentAt: Date;
  readonly expiresAt: Date;
}

/** Reserves resends before their messages are accepted: a crash can use up a resend that was never sent. */
@Injectable()
export class ReserveResend {
  constructor(
    private readonly postgres: Postgres,
    private readonly codes: OtpCodesRepository,
    private readonly records: OtpRecordsRepository,
    private readonly otpPayloads: OtpPayloads,
    private readonly secrets: OtpSecrets,
    private readonly guard: FraudGuard,
    private readonly guardCounts: GuardRepository,
  ) {}

  /** Returns `otp_not_found`, `otp_not_resendable`, `otp_resend_too_early` and those of the fraud guard as refusals. */
  async reserve(
    accountId: string,
    otpId: string,
    messageId: string,
  ): Promise<ReservedResend | GuardRefusal | DomainError> {
    return retryUndone(() =>
      this.postgres.transaction(async (tx) => {
        await this.codes.lockGuards(tx, [accountId]);
        const record = await this.records.find(accountId, otpId, tx);
        if (!record) return otpNotFound();
        const refusal = resendRefusal(record);
        const { id: codeId, recipient, reference, wording, encryptionKeyId: keyId, expiresAt, now } = record;
        if (refusal) return refusal;
        if (!wording) return notResendable('This code was sent by an earlier release.');
        const subjects = await this.guardCounts.subjectsOf(tx, codeId);
        const [fraud] = await this.guard.judge(tx, [{ accountId, subjects }]);
        if (fraud) return fraud;
        await this.guardCounts.insertSends(tx, [{ messageId, subjects }]);
        const text = this.secrets.decrypt({ ciphertext: wording, keyId });
        const resends = record.resends + 1;
        const attemptsLeft = limits.otpTriesMax - record.wrongTries;
        const sentAt = await this.records.insertResend(tx, { messageId, codeId, number: resends, attemptsLeft });
        const usefulSeconds = Math.floor((expiresAt.getTime() - now.getTime()) / 1_000);
        await this.otpPayloads.keep(tx, [{ messageId, text: otpText(text), usefulSeconds }]);
        return { recipient, reference, text, resends, attemptsLeft, sentAt, expiresAt };
      }),
    );
  }

  /** Removes a resend whose message was not accepted. */
  async release(messageId: string): Promise<void> {
    await this.records.removeResend(messageId);
    await this.guardCounts.removeSends(messageId);
    await this.otpPayloads.forget({ id: messageId, kind: 'otp' });
  }
}
