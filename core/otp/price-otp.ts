import { limits } from '#contract/limits.js';
import { inactive, priceOfMessage, unsupported, type PricedMessage, type Terms } from '../messages/send/price.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { maskedOtpText, type OtpText } from '../rules/otp.js';
import type { RegionTable } from '../rules/regions.js';

/** Limits and price of a text message with a code. */
export const otpTerms: Terms = {
  regionOf: (region, regions) => {
    if (region?.otp !== true) return unsupported(onlyTo(regions));
    return region.active ? region : inactive(region);
  },
  segmentsMax: limits.otpSegmentsMax,
  priceOf: () => limits.otpCredits,
};

/** Names the regions of one-time passwords in words. */
function onlyTo(regions: RegionTable): string {
  const offered = [...regions.values()].filter(({ otp, active }) => otp && active).toReversed();
  if (offered.length === 0) return 'One-time passwords are not offered now.';
  const names = offered.map(({ country }) => (/^U[A-Z]+$/.test(country) ? `the ${country}` : country));
  return `One-time passwords are sent to ${new Intl.ListFormat('en-GB').format(names)} only.`;
}

/** Content of a message with a code, without the code. */
export interface OtpContent extends Omit<OtpText, 'code'> {
  readonly to: string;
  /** Characters of the code. */
  readonly digits: number;
}

/** Returns why the rules refuse a message with a code, for any sender. */
export function faultOfOtpRules(regions: RegionTable, content: OtpContent): DomainError | undefined {
  const priced = priceOfOtp(regions, content);
  return priced instanceof DomainError ? priced : undefined;
}

/** Returns a text message with a code, its code masked, and its price, or the refusal of the rules. */
export function priceOfOtp(regions: RegionTable, { to, org, domain, digits }: OtpContent): PricedMessage | DomainError {
  // The masked text is as long as the sent text, so its price is the same.
  const body = maskedOtpText({ org, domain, digits });
  // In the text the domain looks like a mention, '@example.com', but it follows the rules for
  // URLs.
  const price = priceOfMessage(regions, to, body, otpTerms, `${org ?? ''}\n${domain ?? ''}`);
  return price instanceof DomainError ? price : { price, body };
}
