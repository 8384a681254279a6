import { limits } from '#contract/limits.js';
import type { Region } from '#contract/regions.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { priceOf, regionOfCountry } from '../../rules/price.js';
import { parseRecipient } from '../../rules/phone-numbers.js';
import { segmentsOf } from '../../rules/segments.js';
import { urlIn } from '../../rules/urls.js';

/** A message's recipient, size and price, by the rules alone. */
export interface Quote {
  readonly recipient: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly segments: number;
  /** In credits. */
  readonly price: number;
  /** What was taken for a URL. */
  readonly url: string | undefined;
}

/** Limits and price of one kind of message. */
export interface Terms {
  /** The region if this kind of message is sent there, else why not; undefined is a country without a region. */
  readonly regionOf: (region: Region | undefined) => Region | DomainError;
  readonly segmentsMax: number;
  /** In credits. */
  readonly priceOf: (segments: number, region: Region) => number;
}

const smsTerms: Terms = {
  regionOf: (region) => {
    if (!region) return unsupported('Messages to this country are not offered.');
    if (region.active) return region;
    return new DomainError('region_inactive', `Messages to ${region.country} are not offered yet.`);
  },
  segmentsMax: limits.messageSegmentsMax,
  priceOf,
};

/**
 * Returns the quote, or the first refusal of the error table: number, its type, country, length, shortened URL. `links` is what is searched
 * for URLs, if not the text.
 */
export function quoteOf(to: string, text: string, terms: Terms = smsTerms, links = text): Quote | DomainError {
  const destination = destinationOf(to, terms);
  if (destination instanceof DomainError) return destination;
  const content = contentOf(text, terms, links);
  if (content instanceof DomainError) return content;
  const { recipient, country, region } = destination;
  return { recipient, country, ...content, price: terms.priceOf(content.segments, region) };
}

/** Returns where a message goes, or why it is refused. */
export function destinationOf(
  to: string,
  terms: Terms = smsTerms,
): (Pick<Quote, 'recipient' | 'country'> & { readonly region: Region }) | DomainError {
  const number = parseRecipient(to);
  if (!number)
    return new DomainError('invalid_number', 'This is not a valid phone number. Write it with + and country code.');
  if (number.unsupportedType !== undefined) {
    const detail = `This is a ${number.unsupportedType} number. Messages are sent to mobile numbers only.`;
    return new DomainError('number_type_unsupported', detail);
  }
  const region = terms.regionOf(regionOfCountry(number.country));
  if (region instanceof DomainError) return region;
  return { recipient: number.e164, country: number.country, region };
}

/** Returns a text's size as a message, or why it is refused. */
export function contentOf(
  text: string,
  terms: Terms = smsTerms,
  links = text,
): Pick<Quote, 'segments' | 'url'> | DomainError {
  const { segments } = segmentsOf(text);
  if (segments > terms.segmentsMax) {
    const detail = `The message has ${segments} segments; the longest that is sent has ${terms.segmentsMax}.`;
    return new DomainError('message_too_long', detail);
  }
  const found = urlIn(links);
  if (found?.shortened === true)
    return new DomainError('url_shortener', `"${found.text}" is a shortened URL. Use the full URL.`);
  return { segments, url: found?.text };
}

/** The error for a country that this kind of message is not sent to. */
export function unsupported(detail: string): DomainError {
  return new DomainError('region_unsupported', detail);
}
