import { Injectable } from '@nestjs/common';
import { AcceptMessage, type MessageRequest } from '../../messages/send/accept-message.js';
import { Postgres } from '../../platform/database/postgres.js';
import { retryUndone } from '../../platform/errors/database-error.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { newMessageId } from '../../rules/ids.js';
import type { OtpRecord } from '../otp-records.repository.js';
import { OtpSecrets } from '../otp-secrets.js';
import { ReserveResend } from '../reserve-code.js';
import { CountSteps } from './count-steps.js';
import type { ReservedStep } from './otp-plan.js';
import { OtpStepsRepository } from './otp-steps.repository.js';
import { PriceSteps } from './price-steps.js';

/** A step whose message is reserved and not accepted. */
interface Unaccepted {
  readonly record: OtpRecord;
  readonly begun: ReservedStep;
  readonly messageId: string;
}

/**
 * Begins steps of codes with channels without a request: reserves a message, and has it accepted and charged with the
 * key that asked for the code. After a crash between the two the message is accepted later, under the same id, so that
 * it is charged once.
 */
@Injectable()
export class BeginStep {
  constructor(
    private readonly postgres: Postgres,
    private readonly reserveResend: ReserveResend,
    private readonly acceptMessage: AcceptMessage,
    private readonly priceSteps: PriceSteps,
    private readonly countSteps: CountSteps,
    private readonly steps: OtpStepsRepository,
    private readonly secrets: OtpSecrets,
  ) {}

  /**
   * Begins the step after the one that began last, unless the code has ended or has no more steps. A step that is
   * refused makes the next one due.
   */
  async begin(accountId: string, otpId: string, after: number): Promise<void> {
    const messageId = newMessageId();
    const reserved = await retryUndone(() =>
      this.postgres.transaction(async (tx): Promise<Unaccepted | undefined> => {
        const record = await this.reserveResend.locked(tx, accountId, otpId);
        const step = record?.plan?.plan[after];
        if (!record?.plan || !step || record.state !== 'live' || record.step !== after) return undefined;
        const begun = { plan: record.plan, former: record.plan, place: after + 1, step, isNew: true };
        const outcome = await this.reserveResend.reserveIn(tx, record, messageId, begun);
        if (!(outcome instanceof DomainError)) return { record, begun, messageId };
        await this.reserveResend.keepIn(tx, record, messageId, begun);
        await this.steps.refuse(tx, otpId, { ...begun, messageId, code: outcome.code });
        return undefined;
      }),
    );
    if (reserved) await this.accept(reserved);
    else await this.steps.setNext(otpId, after, undefined);
  }

  /** Has the message of the step that began last accepted, which a crash has left. */
  async resume(accountId: string, otpId: string, messageId: string): Promise<void> {
    const record = await this.postgres.transaction((tx) => this.reserveResend.locked(tx, accountId, otpId));
    const place = record?.step ?? 0;
    const step = record?.plan?.plan[place - 1];
    // The first step is accepted by the request itself.
    if (!record?.plan || !step || place === 1 || record.state !== 'live')
      return this.steps.setNext(otpId, place, undefined);
    const { plan } = record;
    await this.accept({ record, begun: { plan, former: plan, place, step, isNew: true }, messageId });
  }

  private async accept({ record, begun, messageId }: Unaccepted): Promise<void> {
    const { id: otpId, accountId, recipient, wording, encryptionKeyId: keyId } = record;
    if (!wording) return;
    const { code, ...text } = this.secrets.decrypt({ ciphertext: wording, keyId });
    const message = await this.priceSteps.price(begun.step, { ...text, to: recipient, digits: code.length });
    if (message instanceof DomainError) return this.refuse(otpId, begun, messageId, message);
    const refusal = await this.priceSteps.refusalOf(accountId, recipient, [begun.step]);
    if (refusal) return this.refuse(otpId, begun, messageId, refusal);
    try {
      await this.acceptMessage.accept(requestOf(record, begun), [], { id: messageId, ...message, step: begun.place });
    } catch (error) {
      // The message may have been accepted: the code is looked at again when the lease of its step is over.
      if (!(error instanceof DomainError) || error.code === 'unavailable') throw error;
      return this.refuse(otpId, begun, messageId, error);
    }
    await this.countSteps.accepted({ accountId, otpId, begun, createdAt: new Date() }, message);
  }

  private async refuse(otpId: string, begun: ReservedStep, messageId: string, { code }: DomainError): Promise<void> {
    await this.postgres.transaction((tx) => this.steps.refuse(tx, otpId, { ...begun, messageId, code }));
    await this.reserveResend.undo(messageId);
  }
}

function requestOf({ reference }: OtpRecord, { plan, step }: ReservedStep): MessageRequest {
  const { key, named, address, from, hedgeSeconds } = plan;
  const isText = step.channel === 'sms';
  return {
    kind: 'otp',
    key: { hash: Buffer.from(key, 'base64'), test: false, named },
    address,
    from: isText ? from : undefined,
    timing: isText && hedgeSeconds !== undefined ? { sendAt: null, validitySeconds: null, hedgeSeconds } : undefined,
    reference: reference ?? undefined,
    idempotencyKey: undefined,
  };
}
