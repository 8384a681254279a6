import { Injectable } from '@nestjs/common';
import type { OtpStatus } from '#contract/otp-statuses.js';
import type { ApiKey } from '../accounts/api-keys.js';
import { ApiKeys } from '../accounts/api-keys.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { parseRecipient } from '../rules/phone-numbers.js';
import { GuessBatches } from './guess-batches.js';
import { OtpSecrets } from './otp-secrets.js';

export interface VerifyOtpInput {
  readonly key: ApiKey;
  readonly otp: string;
  /** The recipient's number, when the caller says whose code it is. */
  readonly to: string | undefined;
  /** The caller's network address. */
  readonly address: string;
}

export interface OtpVerdict {
  readonly kind: OtpStatus;
  /** When the code ends, or has ended. */
  readonly expiresAt?: Date;
  /** Wrong tries until the last of the recipient's codes dies. */
  readonly attemptsLeft?: number;
}

/** What a key in test mode is told of these codes. */
const testVerdicts: ReadonlyMap<string, OtpStatus> = new Map([
  ['123456', 'verified'],
  ['000001', 'not_found'],
  ['000002', 'expired'],
  ['000003', 'already_used'],
]);

/**
 * Says of a code whether it is one that the account has sent and that still counts; of many who ask at the same time, one
 * hears `verified`. Throws `invalid_number`, `rate_limited` for too many wrong guesses, and what {@link ApiKeys.authenticate} does.
 */
@Injectable()
export class VerifyOtp {
  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly guesses: GuessBatches,
    private readonly secrets: OtpSecrets,
  ) {}

  async run({ key, otp, to, address }: VerifyOtpInput): Promise<OtpVerdict> {
    const { accountId } = await this.apiKeys.authenticate(key, address);
    const recipient = to === undefined ? undefined : parseRecipient(to);
    if (to !== undefined && !recipient)
      throw new DomainError('invalid_number', 'This is not a valid phone number. Write it with + and country code.');
    if (key.test) return { kind: testVerdicts.get(otp) ?? 'not_found' };

    const codeHash = this.secrets.hash(accountId, otp);
    const judgement = await this.guesses.judge({ accountId, codeHash, recipient: recipient?.e164 });
    if (judgement.kind === 'too_many') {
      const { retryAfterSeconds } = judgement;
      const detail = 'Too many wrong codes for this account. Send "to" with the code, or wait.';
      throw new DomainError('rate_limited', detail, { retryAfterSeconds });
    }
    if (judgement.kind === 'verified') return { kind: 'verified', expiresAt: judgement.code.endsAt };
    const { kind, attemptsLeft } = judgement;
    return {
      kind,
      ...('endsAt' in judgement && { expiresAt: judgement.endsAt }),
      ...(attemptsLeft !== undefined && { attemptsLeft }),
    };
  }
}
