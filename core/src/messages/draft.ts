import { limits } from '#contract/limits.js';
import { DomainError } from '../errors/domain-error.js';
import { priceOf } from '../rules/price.js';
import { parseRecipient } from '../rules/recipient.js';
import { regionOfCountry } from '../rules/regions.js';
import { segmentsOf } from '../rules/segments.js';
import { urlsIn } from '../rules/urls.js';

/** What the rules make of a message before anyone is asked whether the account may send it. */
export interface Draft {
  readonly recipient: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly segments: number;
  /** In credits. */
  readonly price: number;
  readonly hasUrl: boolean;
}

/** The draft, or the first "no" of the error table: number, country, length, shortened URL. */
export function draftOf(to: string, text: string): Draft | DomainError {
  const number = parseRecipient(to);
  if (!number)
    return new DomainError('invalid_number', 'This is not a valid phone number. Write it with + and country code.');
  const region = regionOfCountry(number.country);
  if (!region) return new DomainError('region_unsupported', 'Messages to this country are not offered.');
  if (!region.active) return new DomainError('region_inactive', `Messages to ${region.country} are not offered yet.`);
  const { segments } = segmentsOf(text);
  if (segments > limits.messageSegmentsMax) {
    return new DomainError(
      'message_too_long',
      `The message has ${segments} segments; at most ${limits.messageSegmentsMax} are sent.`,
    );
  }
  const urls = urlsIn(text);
  if (urls === 'shortened') return new DomainError('url_shortener', 'Shortened URLs are not sent. Use the full URL.');
  return {
    recipient: number.e164,
    country: number.country,
    segments,
    price: priceOf(segments, region),
    hasUrl: urls === 'url',
  };
}
