import { limits } from '#contract/limits.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { draftOf, unsupported, type Draft, type Terms } from '../messages/send/draft.js';
import { maskedOtpText } from '../rules/otp-text.js';

export interface OtpWording {
  readonly org: string | undefined;
  readonly domain: string | undefined;
  readonly digits: number;
}

const otpTerms: Terms = {
  refusalOf: (region) =>
    region?.otp === true ? undefined : unsupported('One-time passwords are sent to the USA and Canada only.'),
  segmentsMax: limits.otpSegmentsMax,
  priceOf: () => limits.otpCredits,
};

/** As of any message, by the terms of one-time passwords. The masked text is as long as the one that is sent. */
export function otpDraftOf(to: string, wording: OtpWording): Draft | DomainError {
  return draftOf(to, maskedOtpText(wording), otpTerms);
}
