import type { ErrorCode } from '#contract/errors.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { secondsUntilNewYorkMidnight } from '../../rules/new-york-time.js';
import type { Decision } from './decision.js';

type Refusal = Exclude<
  Decision['verdict'],
  'accepted' | 'tested' | 'replayed' | 'again' | 'no_credits_record' | 'refused_by_rules'
>;

const NOT_CHARGED = 'You were not charged.';

const refusals: Record<Refusal, { code: ErrorCode; detail: string }> = {
  address_blocked: { code: 'address_blocked', detail: 'This network address may not use the API. Contact support.' },
  unknown_api_key: { code: 'unknown_api_key', detail: 'No account has this API key. The dashboard shows yours.' },
  account_blocked: { code: 'account_blocked', detail: 'This account is blocked. Contact support.' },
  idempotency_conflict: {
    code: 'idempotency_conflict',
    detail: 'This Idempotency-Key was used with another body within 24 hours. Use a new one.',
  },
  no_credits: { code: 'no_credits', detail: `The balance is 0. ${NOT_CHARGED}` },
  url_not_activated: {
    code: 'url_not_activated',
    detail: 'Messages with URLs need activation of the account. Contact support.',
  },
  recipient_opted_out: { code: 'recipient_opted_out', detail: 'The recipient has opted out by replying STOP.' },
  daily_limit: { code: 'daily_limit', detail: `The daily limit of this account is reached. ${NOT_CHARGED}` },
  insufficient_credits: {
    code: 'insufficient_credits',
    detail: `The balance does not cover the price of this message. ${NOT_CHARGED}`,
  },
  lost: { code: 'unavailable', detail: `The service is not available for a moment. ${NOT_CHARGED} Try again.` },
  unknown: {
    code: 'unavailable',
    detail:
      'The service went away before it could say whether it took the message. Look for it in GET /api/messages before sending again, or use an Idempotency-Key.',
  },
  failed: { code: 'internal', detail: `Something went wrong on our side. ${NOT_CHARGED}` },
};

/** The catalogue's error for a verdict that is a "no". */
export function refusalOf(verdict: Refusal, cause: unknown, at: Date): DomainError {
  const { code, detail } = refusals[verdict];
  const retryAfterSeconds =
    verdict === 'daily_limit' ? secondsUntilNewYorkMidnight(at) : code === 'unavailable' ? 1 : undefined;
  return new DomainError(code, detail, { cause, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) });
}
