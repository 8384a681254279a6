import { Injectable } from '@nestjs/common';
import { ApiKeys } from '../accounts/api-keys.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { Logger } from '../platform/telemetry/logger.js';
import {
  AcceptMessage,
  type AcceptedMessage,
  type MessageRequest,
  type PreparedMessage,
} from '../messages/send/accept-message.js';
import { newMessageId } from '../rules/ids.js';
import { maskedOtpText, otpText } from '../rules/otp.js';
import { otpQuoteOf, type OtpWording } from './otp-quote.js';
import { ReserveCode } from './reserve-code.js';

export interface SendOtpInput extends MessageRequest, OtpWording {
  readonly to: string;
  /** How long the code lives. */
  readonly minutes: number;
}

/**
 * Sends a one-time password: makes up the code, then hands the message to {@link AcceptMessage}. Throws as that does, and
 * `rate_limited` when the number has got too many codes. Nothing is left of a code whose message was refused.
 */
@Injectable()
export class SendOtp {
  constructor(
    private readonly acceptMessage: AcceptMessage,
    private readonly apiKeys: ApiKeys,
    private readonly reserveCode: ReserveCode,
    private readonly logger: Logger,
  ) {}

  async run(input: SendOtpInput): Promise<AcceptedMessage> {
    const { to, org, domain, digits, minutes } = input;
    const fields = ['otp', to, org ?? null, domain ?? null, digits, minutes];
    let reserved: string | undefined;
    try {
      const accepted = await this.acceptMessage.run(input, fields, async () => {
        const prepared = await this.prepare(input);
        if (!(prepared instanceof DomainError) && !input.key.test) reserved = prepared.id;
        return prepared;
      });
      if (accepted.replayed) await this.undo(reserved);
      return accepted;
    } catch (error) {
      // Unavailable may mean that nobody knows whether the message was accepted: its code must work then.
      if (!(error instanceof DomainError && error.code === 'unavailable')) await this.undo(reserved);
      throw error;
    }
  }

  /** With a test key no code is made up: the message is not sent. */
  private async prepare({
    key,
    address,
    to,
    org,
    domain,
    digits,
    minutes,
    reference,
  }: SendOtpInput): Promise<PreparedMessage | DomainError> {
    const quote = otpQuoteOf(to, { org, domain, digits });
    if (quote instanceof DomainError) return quote;
    const id = newMessageId();
    if (!key.test) {
      const { accountId } = await this.apiKeys.authenticate(key, address);
      const textOf = (code: string) => otpText({ code, org, domain });
      const { recipient } = quote;
      const refusal = await this.reserveCode.run({ id, accountId, recipient, digits, minutes, reference, textOf });
      if (refusal) return refusal;
    }
    return { id, kind: 'otp', quote, body: maskedOtpText({ org, domain, digits }) };
  }

  /** A code that stays behind is known to nobody, and ends by itself. */
  private async undo(id: string | undefined): Promise<void> {
    if (id === undefined) return;
    await this.reserveCode
      .undo(id)
      .catch((err: unknown) => this.logger.warn({ err, messageId: id }, 'code of a refused message left to its end'));
  }
}
