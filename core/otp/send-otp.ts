import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { ApiKeys } from '../accounts/api-keys.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { Logger } from '../platform/telemetry/logger.js';
import {
  AcceptMessage,
  IdempotencyKeysInFlight,
  type AcceptedMessage,
  type MessageRequest,
  type PreparedMessage,
} from '../messages/send/accept-message.js';
import { refusalOf } from '../messages/send/decision.js';
import { quoteOf, unsupported, type Terms } from '../messages/send/quote.js';
import { newMessageId } from '../rules/ids.js';
import { maskedOtpText, otpText } from '../rules/otp.js';
import { ReserveCode } from './reserve-code.js';

interface OtpWording {
  readonly org: string | undefined;
  readonly domain: string | undefined;
  readonly digits: number;
}

export interface SendOtpInput extends MessageRequest, OtpWording {
  readonly to: string;
  /** How long the code can be verified. */
  readonly minutes: number;
}

const otpTerms: Terms = {
  regionOf: (region) =>
    region?.otp === true ? region : unsupported('One-time passwords are sent to the USA and Canada only.'),
  segmentsMax: limits.otpSegmentsMax,
  priceOf: () => limits.otpCredits,
};

/**
 * Sends a one-time password: reserves a code, then passes the message to {@link AcceptMessage}. Throws what that throws, and
 * `rate_limited` when the recipient was sent too many codes. Removes the code when its message is refused.
 */
@Injectable()
export class SendOtp {
  private readonly inFlight = new IdempotencyKeysInFlight();

  constructor(
    private readonly acceptMessage: AcceptMessage,
    private readonly apiKeys: ApiKeys,
    private readonly reserveCode: ReserveCode,
    private readonly logger: Logger,
  ) {}

  async send(input: SendOtpInput): Promise<AcceptedMessage> {
    if (this.inFlight.has(input)) return this.accept(input, refusalOf('idempotency_in_progress', new Date()));
    const leave = this.inFlight.enter(input);
    try {
      return await this.accept(input, await this.prepare(input).catch(asRefusal));
    } finally {
      leave();
    }
  }

  /** Accepts the message and removes its reserved code if it was not accepted. */
  private async accept(input: SendOtpInput, message: PreparedMessage | DomainError): Promise<AcceptedMessage> {
    const { key, to, org, domain, digits, minutes } = input;
    const fields = ['otp', to, org ?? null, domain ?? null, digits, minutes];
    const reserved = message instanceof DomainError || key.test ? undefined : message.id;
    try {
      const accepted = await this.acceptMessage.accept(input, fields, message);
      if (accepted.replayed) await this.release(reserved);
      return accepted;
    } catch (error) {
      // After `unavailable` the message may have been accepted, so its code has to stay valid.
      if (!(error instanceof DomainError && error.code === 'unavailable')) await this.release(reserved);
      throw error;
    }
  }

  /** Reserves no code for a test key: its message is not sent. */
  private async prepare(input: SendOtpInput): Promise<PreparedMessage | DomainError> {
    const { key, address, to, org, domain, digits, minutes, reference } = input;
    // The masked text is as long as the one that is sent, so its price is the same.
    const body = maskedOtpText({ org, domain, digits });
    // In the text the domain looks like a mention, '@example.com', but it follows the rules for URLs.
    const quote = quoteOf(to, body, otpTerms, `${org ?? ''}\n${domain ?? ''}`);
    if (quote instanceof DomainError) return quote;
    const id = newMessageId();
    if (!key.test) {
      const { accountId } = await this.apiKeys.authenticate(key, address);
      const textOf = (code: string) => otpText({ code, org, domain });
      const { recipient } = quote;
      const refusal = await this.reserveCode.reserve({ id, accountId, recipient, digits, minutes, reference, textOf });
      if (refusal) return refusal;
    }
    return { id, kind: 'otp', quote, body };
  }

  /** A code that cannot be removed was never sent, and expires. */
  private async release(id: string | undefined): Promise<void> {
    if (id === undefined) return;
    await this.reserveCode
      .release(id)
      .catch((err: unknown) => this.logger.warn({ err, messageId: id }, 'code of a refused message left to expire'));
  }
}

/** An account that may not send is refused by acceptance, which decides which case of the error table comes first. */
function asRefusal(error: unknown): DomainError {
  if (error instanceof DomainError && error.code !== 'unavailable') return error;
  throw error;
}
