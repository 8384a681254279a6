import { limits } from '#contract/limits.js';
import { linkAdvice } from '#contract/message-media.js';
import type { SmsEncoding } from '#contract/messages.js';
import type { Region } from '#contract/regions.js';
import { smartText, unicodeCharactersIn } from '#contract/sms-characters.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type SegmentCount, segmentsOf } from '../../rules/segments.js';
import { takesMms } from '../../rules/mms.js';
import { noNumberText, parseRecipient } from '../../rules/phone-numbers.js';
import { urlIn } from '../../rules/urls.js';
import { priceOf } from '../../rules/price.js';
import type { RegionTable } from '../../rules/regions.js';
import type { FoundUrl } from './decision.js';

/** A message's recipient, size and price, by the rules alone. */
export interface Price {
  readonly recipient: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly segments: number;
  readonly encoding: SegmentCount['encoding'];
  readonly credits: number;
  /** Part of the text that counts as a URL. */
  readonly url: FoundUrl | undefined;
}

/** Limits and price of one kind of message. */
export interface Terms {
  /**
   * Returns the region, or the reason why this kind of message is not sent there; undefined stands
   * for a country without a region. `country` is the number's country, ISO 3166-1 alpha-2.
   */
  readonly regionOf: (region: Region | undefined, regions: RegionTable, country: string) => Region | DomainError;
  readonly segmentsMax: number;
  /** Limit in place of `segmentsMax` for a text that is not split into segments. */
  readonly charactersMax?: number;
  /** Whether a text outside GSM-7 is refused. */
  readonly gsm7Only?: boolean;
  /** Price in credits. */
  readonly priceOf: (segments: number, region: Region) => number;
}

export const smsTerms: Terms = {
  // The error names the country: many do not know that +44 7911 is Guernsey.
  regionOf: (region, _regions, country) => {
    if (!region) return unsupported(`This is a number in ${countryName(country)}; messages there are not offered.`);
    return region.active ? region : inactive(region);
  },
  segmentsMax: limits.messageSegmentsMax,
  priceOf,
};
interface MmsOffer {
  /** The price of each message. */
  readonly credits: number;
  /** Whether one of our senders to a country, ISO 3166-1 alpha-2, takes files. */
  readonly isCarried: (country: string) => boolean;
}

/** The terms of a message with files. */
export function mmsTerms({ credits, isCarried }: MmsOffer): Terms {
  return {
    regionOf: (region, regions, country) => {
      const served = smsTerms.regionOf(region, regions, country);
      if (served instanceof DomainError) return served;
      if (!takesMms(served.iso2)) {
        const countries = `Messages with files are sent to the USA and Canada only, not to ${served.country}.`;
        return new DomainError('media_unsupported', `${countries} ${LINK_ADVICE}`);
      }
      if (isCarried(served.iso2)) return served;
      return new DomainError('media_unsupported', `No sender for ${served.country} takes files. ${LINK_ADVICE}`);
    },
    segmentsMax: 1,
    charactersMax: limits.mmsTextCharactersMax,
    priceOf: () => credits,
  };
}

const LINK_ADVICE = `${linkAdvice} You were not charged.`;

/** A message that the rules allow. */
export interface PricedMessage {
  readonly price: Price;
  /** The text as it is sent, or its replacement for display. */
  readonly body: string;
  /** Number of the step of a one-time password with channels, from 1. */
  readonly step?: number | undefined;
  /** The sender of a channel; undefined for a text message, whose sender acceptance chooses. */
  readonly channelSender?: string | undefined;
}

/**
 * Prices a text, which is empty only beside files, in the encoding that its sender asks for. Returns
 * the first refusal of the error table, as {@link priceOfMessage}.
 */
export function priceOfText(
  regions: RegionTable,
  to: string,
  text: string,
  encoding: SmsEncoding = 'auto',
  terms: Terms = smsTerms,
): PricedMessage | DomainError {
  if (text.length > limits.textCharactersMax) {
    const destination = destinationOf(regions, to, terms);
    if (destination instanceof DomainError) return destination;
    return terms.charactersMax === undefined ? textTooLong(text.length) : charactersTooMany(text.length);
  }
  const body = encoding === 'smart' ? smartText(text) : text;
  const price = priceOfMessage(regions, to, body, encoding === 'gsm7' ? { ...terms, gsm7Only: true } : terms);
  return price instanceof DomainError ? price : { price, body };
}

/**
 * Returns the price, or the first refusal of the error table: number, its type, country, encoding,
 * length, shortened URL. `links` is searched for URLs instead of the text.
 */
export function priceOfMessage(
  regions: RegionTable,
  to: string,
  text: string,
  terms: Terms = smsTerms,
  links = text,
): Price | DomainError {
  const destination = destinationOf(regions, to, terms);
  if (destination instanceof DomainError) return destination;
  const content = contentOf(text, terms, links);
  if (content instanceof DomainError) return content;
  const { recipient, country, region } = destination;
  return { recipient, country, ...content, credits: terms.priceOf(content.segments, region) };
}

/** The error for a text that is too long to be checked by other rules. */
export function textTooLong(characters: number): DomainError {
  const detail = `The message has ${characters} characters; at most ${limits.messageSegmentsMax} segments are sent.`;
  return new DomainError('message_too_long', detail);
}

function charactersTooMany(characters: number): DomainError {
  const max = limits.mmsTextCharactersMax;
  const detail = `The text has ${characters} characters; a message with files has at most ${max}.`;
  return new DomainError('message_too_long', detail);
}

/** Returns the destination of a message, or its refusal. */
export function destinationOf(
  regions: RegionTable,
  to: string,
  terms: Terms = smsTerms,
): (Pick<Price, 'recipient' | 'country'> & { readonly region: Region }) | DomainError {
  const number = parseRecipient(to);
  if (!number) return new DomainError('invalid_number', noNumberText(to));
  if (number.unsupportedType !== undefined) {
    const detail = `This is a ${number.unsupportedType} number. Messages are sent to mobile numbers only.`;
    return new DomainError('number_type_unsupported', detail);
  }
  const region = terms.regionOf(regions.get(number.country), regions, number.country);
  if (region instanceof DomainError) return region;
  return { recipient: number.e164, country: number.country, region };
}

/** Returns the size of a text as a message, or its refusal. */
export function contentOf(
  text: string,
  terms: Terms = smsTerms,
  links = text,
): Pick<Price, 'segments' | 'encoding' | 'url'> | DomainError {
  const { segments, encoding } = segmentsOf(text);
  if (terms.gsm7Only === true && encoding !== 'GSM-7') return encodingUnsupported(text);
  if (terms.charactersMax !== undefined) {
    if (text.length > terms.charactersMax) return charactersTooMany(text.length);
  } else if (segments > terms.segmentsMax) {
    const detail = `The message has ${segments} segments; the limit is ${terms.segmentsMax}.`;
    return new DomainError('message_too_long', detail);
  }
  const found = urlIn(links);
  if (found?.shortened === true)
    return new DomainError('url_shortener', `"${found.text}" is a shortened URL. Use the full URL.`);
  return { segments: terms.charactersMax === undefined ? segments : 1, encoding, url: found?.text };
}

function encodingUnsupported(text: string): DomainError {
  const found = unicodeCharactersIn(text);
  const more = found.length === limits.quoteUnicodeCharactersMax ? ' and maybe others' : '';
  const named = found.map((character) => `"${character}"`).join(', ');
  return new DomainError('encoding_unsupported', `GSM-7 does not contain ${named}${more}.`);
}

const countryNames = new Intl.DisplayNames('en', { type: 'region' });

/** Returns 'Guernsey' for 'GG', also for countries without a region. */
function countryName(country: string): string {
  return countryNames.of(country) ?? country;
}

/** The error for a country to which this kind of message is not sent. */
export function unsupported(detail: string): DomainError {
  return new DomainError('region_unsupported', detail);
}

/** The error for a country whose messages are paused. */
export function inactive({ country }: Region): DomainError {
  return new DomainError('region_inactive', `Messages to ${country} are not offered yet.`);
}
