import { limits } from '#contract/limits.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { quoteOf, unsupported, type Quote, type Terms } from '../messages/send/quote.js';
import { maskedOtpText } from '../rules/otp.js';

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
export function otpQuoteOf(to: string, wording: OtpWording): Quote | DomainError {
  return quoteOf(to, maskedOtpText(wording), otpTerms);
}
