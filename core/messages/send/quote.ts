import { limits } from '#contract/limits.js';
import type { Region } from '#contract/regions.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { priceOf, regionOfCountry } from '../../rules/price.js';
import { parseRecipient } from '../../rules/phone-numbers.js';
import { segmentsOf } from '../../rules/segments.js';
import { urlsIn } from '../../rules/urls.js';

/** What the rules make of a message before anyone is asked whether the account may send it. */
export interface Quote {
  readonly recipient: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly segments: number;
  /** In credits. */
  readonly price: number;
  readonly hasUrl: boolean;
}

/** What messages of one kind may be, and what they cost. */
export interface Terms {
  /** Why this kind is not sent to the country of a region row, or to a country without one. */
  readonly refusalOf: (region: Region | undefined) => DomainError | undefined;
  readonly segmentsMax: number;
  /** In credits. */
  readonly priceOf: (segments: number, region: Region) => number;
}

const smsTerms: Terms = {
  refusalOf: (region) => {
    if (!region) return unsupported('Messages to this country are not offered.');
    if (region.active) return undefined;
    return new DomainError('region_inactive', `Messages to ${region.country} are not offered yet.`);
  },
  segmentsMax: limits.messageSegmentsMax,
  priceOf,
};

/** The quote, or the first "no" of the error table: number, country, length, shortened URL. */
export function quoteOf(to: string, text: string, terms: Terms = smsTerms): Quote | DomainError {
  const destination = destinationOf(to, terms);
  if (destination instanceof DomainError) return destination;
  const content = contentOf(text, terms);
  if (content instanceof DomainError) return content;
  const { recipient, country, region } = destination;
  return { recipient, country, ...content, price: terms.priceOf(content.segments, region) };
}

/** Where a message goes, or why it does not. */
export function destinationOf(
  to: string,
  terms: Terms = smsTerms,
): (Pick<Quote, 'recipient' | 'country'> & { readonly region: Region }) | DomainError {
  const number = parseRecipient(to);
  if (!number)
    return new DomainError('invalid_number', 'This is not a valid phone number. Write it with + and country code.');
  const region = regionOfCountry(number.country);
  const refusal = terms.refusalOf(region);
  if (refusal) return refusal;
  if (!region) throw new Error('No kind of message goes to a country without a price');
  return { recipient: number.e164, country: number.country, region };
}

/** What a text is as a message, or why it is none. */
export function contentOf(text: string, terms: Terms = smsTerms): Pick<Quote, 'segments' | 'hasUrl'> | DomainError {
  const { segments } = segmentsOf(text);
  if (segments > terms.segmentsMax) {
    const detail = `The message has ${segments} segments; the longest that is sent has ${terms.segmentsMax}.`;
    return new DomainError('message_too_long', detail);
  }
  const urls = urlsIn(text);
  if (urls === 'shortened') return new DomainError('url_shortener', 'Shortened URLs are not sent. Use the full URL.');
  return { segments, hasUrl: urls === 'url' };
}

/** A country that this kind of message does not go to at all. */
export function unsupported(detail: string): DomainError {
  return new DomainError('region_unsupported', detail);
}
