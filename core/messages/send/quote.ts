import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { limits } from '#contract/limits.js';
import type { SmsEncoding } from '#contract/messages.js';
import type { Region } from '#contract/regions.js';
import { smartText, unicodeCharactersIn } from '#contract/sms-characters.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { priceOf, regionOfCountry, type SegmentCount, segmentsOf } from '../../rules/segments-and-price.js';
import { parseRecipient } from '../../rules/phone-numbers.js';
import { urlIn } from '../../rules/urls.js';
import { Encryption } from '../../platform/crypto/encryption.js';

/** A message's recipient, size and price, by the rules alone. */
export interface Quote {
  readonly recipient: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly segments: number;
  readonly encoding: SegmentCount['encoding'];
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
  /** A text outside GSM-7 is refused. */
  readonly gsm7Only?: boolean;
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
const gsm7SmsTerms: Terms = { ...smsTerms, gsm7Only: true };

/** An SMS and its text as it is sent. */
export interface QuotedSms {
  readonly quote: Quote;
  readonly body: string;
}

/** Quotes an SMS in the encoding that its sender asks for. Returns the first refusal of the error table, as {@link quoteOf}. */
export function quoteSms(to: string, text: string, encoding: SmsEncoding = 'auto'): QuotedSms | DomainError {
  const body = encoding === 'smart' ? smartText(text) : text;
  const quote = quoteOf(to, body, encoding === 'gsm7' ? gsm7SmsTerms : smsTerms);
  return quote instanceof DomainError ? quote : { quote, body };
}

/**
 * Returns the quote, or the first refusal of the error table: number, its type, country, encoding, length, shortened URL. `links` is what is searched
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
): Pick<Quote, 'segments' | 'encoding' | 'url'> | DomainError {
  const { segments, encoding } = segmentsOf(text);
  if (terms.gsm7Only === true && encoding !== 'GSM-7') return encodingUnsupported(text);
  if (segments > terms.segmentsMax) {
    const detail = `The message has ${segments} segments; the longest that is sent has ${terms.segmentsMax}.`;
    return new DomainError('message_too_long', detail);
  }
  const found = urlIn(links);
  if (found?.shortened === true)
    return new DomainError('url_shortener', `"${found.text}" is a shortened URL. Use the full URL.`);
  return { segments, encoding, url: found?.text };
}

function encodingUnsupported(text: string): DomainError {
  const found = unicodeCharactersIn(text);
  const more = found.length === limits.quoteUnicodeCharactersMax ? ' and maybe others' : '';
  const named = found.map((character) => `"${character}"`).join(', ');
  return new DomainError('encoding_unsupported', `GSM-7 does not contain ${named}${more}.`);
}

/** The error for a country that this kind of message is not sent to. */
export function unsupported(detail: string): DomainError {
  return new DomainError('region_unsupported', detail);
}

/** What a price is for. `content` is anything that JSON represents, such as the recipient and text of each message. */
export interface Priced {
  readonly accountId: string;
  readonly content: readonly unknown[];
}

const promise = z.strictObject({
  quote: z.literal(1),
  accountId: z.string(),
  contentHash: z.string(),
  credits: z.int().positive(),
  expiresAtMs: z.int(),
});

const INVALID =
  'This is no quote for this account and content. Request another with POST /api/quote. You were not charged.';
const EXPIRED = `A quote is valid for ${limits.quoteMinutes} minutes. Request another with POST /api/quote. You were not charged.`;

/**
 * Promises of a maximum price, for a few minutes. A quote is the encrypted promise itself: nothing is stored, and only this service
 * can issue one.
 */
@Injectable()
export class PriceQuotes {
  constructor(private readonly encryption: Encryption) {}

  /** Promises that sending the content costs the account at most `credits`. */
  issue({ accountId, content }: Priced, credits: number, now = new Date()): { quote: string; expiresAt: Date } {
    const expiresAt = new Date(now.getTime() + limits.quoteMinutes * 60_000);
    const promised: z.infer<typeof promise> = {
      quote: 1,
      accountId,
      contentHash: hashOf(content),
      credits,
      expiresAtMs: expiresAt.getTime(),
    };
    const { ciphertext } = this.encryption.encrypt(JSON.stringify(promised));
    return { quote: ciphertext.toString('base64url'), expiresAt };
  }

  /** Returns the promised price; `quote_invalid` for another account or content, or an invalid text; `quote_expired`. */
  priceOf(quote: string, { accountId, content }: Priced, now = new Date()): number | DomainError {
    const promised = this.read(quote);
    if (!promised || promised.accountId !== accountId || promised.contentHash !== hashOf(content))
      return new DomainError('quote_invalid', INVALID);
    return now.getTime() < promised.expiresAtMs ? promised.credits : new DomainError('quote_expired', EXPIRED);
  }

  private read(quote: string): z.infer<typeof promise> | undefined {
    try {
      const text = this.encryption.decrypt({ ciphertext: Buffer.from(quote, 'base64url'), keyId: null });
      return promise.parse(JSON.parse(text));
    } catch {
      // Whatever the text is, it is no quote of ours.
      return undefined;
    }
  }
}

function hashOf(content: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}
