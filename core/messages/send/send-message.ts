import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import type { SmsEncoding } from '#contract/messages.js';
import { unicodeCharactersIn } from '#contract/sms-characters.js';
import { ApiKeys } from '../../keys/api-keys.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { newMessageId } from '../../rules/ids.js';
import type { RegionTable } from '../../rules/regions.js';
import { CurrentRegions } from '../routes/current-regions.js';
import { Senders } from '../senders/senders.js';
import { AcceptMessage, type AcceptedMessage, type MessageRequest } from './accept-message.js';
import type { MessageTiming } from './acceptance-batch.js';
import { asRefusal } from './decision.js';
import { Preview } from './preview.js';
import { priceOfSms, type Price, type PricedMessage } from './price.js';
import { PricePromises } from './price-promises.js';

interface SendMessageInput extends Omit<MessageRequest, 'kind' | 'timing' | 'from'> {
  readonly to: string;
  readonly text: string;
  readonly options?: SendOptions;
}

/** What a caller asks of a message besides recipient and text. A default is left out. */
export interface SendOptions {
  readonly encoding?: Exclude<SmsEncoding, 'auto'>;
  /** A number or a pool of the account, as {@link Senders.faultOf} takes it. */
  readonly from?: string;
  /** From {@link SendMessage.quote}: the message costs at most what was quoted. */
  readonly quote?: string;
  /** The highest price in credits that the caller accepts. */
  readonly maxCredits?: number;
  /** When the message leaves. */
  readonly sendAt?: Date;
  /**
   * The message fails if the carrier does not have it within this time after acceptance, or after
   * `sendAt`.
   */
  readonly validitySeconds?: number;
  /**
   * A message to the same recipient with the same text that is not older is the answer, unless it
   * failed.
   */
  readonly dedupeSeconds?: number;
  /**
   * Seconds without a receipt after which another route is tried, where there is one; 0: the message
   * is delivered `once`.
   */
  readonly hedgeSeconds?: number;
}

/** The price of a message that was not sent. */
interface SmsQuote extends Pick<Price, 'segments' | 'encoding' | 'country' | 'credits'> {
  /** Promises the price until `expiresAt`. */
  readonly quote: string;
  readonly expiresAt: Date;
  /** The first ones outside GSM-7. */
  readonly unsupportedCharacters: string[];
  /** In credits. */
  readonly balance: number;
  /** In credits; a dispute can freeze some. */
  readonly available: number;
}

const { sendAtSecondsMin, sendAtDaysMax } = limits;

/**
 * Sends one message: prices it and accepts it; the worker hands it to the carrier. Throws as
 * {@link AcceptMessage}.
 */
@Injectable()
export class SendMessage {
  constructor(
    private readonly acceptMessage: AcceptMessage,
    private readonly apiKeys: ApiKeys,
    private readonly preview: Preview,
    private readonly pricePromises: PricePromises,
    private readonly currentRegions: CurrentRegions,
    private readonly senders: Senders,
  ) {}

  async send(input: SendMessageInput): Promise<AcceptedMessage> {
    const { to, text, options = {}, key, reference, idempotencyKey, callback, address, context } = input;
    const priced = await this.price(input, await this.pricedFrom(input));
    const message = priced instanceof DomainError ? priced : { id: newMessageId(), ...priced };
    const request: MessageRequest = {
      kind: 'sms',
      key,
      from: options.from,
      reference,
      idempotencyKey,
      timing: timingOf(options),
      dedupeSeconds: options.dedupeSeconds,
      callback,
      address,
      context,
    };
    const called = callback ? [callback.format, callback.url, callback.data] : null;
    return this.acceptMessage.accept(request, [to, text, options, called], message);
  }

  /**
   * Prices a message and promises the price for some minutes. Sends and charges nothing. Throws
   * the errors that a test of the message throws; earlier quotes and `maxCredits` do not matter.
   */
  async quote(input: Omit<SendMessageInput, 'idempotencyKey' | 'reference'>): Promise<SmsQuote> {
    const { options: { from } = {}, ...caller } = input;
    const { message, accountId, balance, available } = await this.preview.ofRequest(
      { ...caller, from },
      await this.pricedFrom(input),
    );
    const { segments, encoding, country, credits } = message.price;
    const promised = this.pricePromises.issue({ accountId, content: contentOf(message) }, credits);
    const unsupportedCharacters = unicodeCharactersIn(message.body);
    return { ...promised, segments, encoding, country, credits, unsupportedCharacters, balance, available };
  }

  /** Prices the message, and looks at the sender that the caller named. */
  private async pricedFrom({
    key,
    to,
    text,
    options = {},
  }: Pick<SendMessageInput, 'key' | 'to' | 'text' | 'options'>): Promise<PricedMessage | DomainError> {
    const priced = pricedOf(await this.currentRegions.table(), to, text, options);
    if (priced instanceof DomainError || options.from === undefined) return priced;
    return (await this.senders.faultOf(key, options.from)) ?? priced;
  }

  /** Applies what the caller was quoted and what the caller accepts. */
  private async price(
    { key, address, options: { quote, maxCredits } = {} }: SendMessageInput,
    priced: PricedMessage | DomainError,
  ): Promise<PricedMessage | DomainError> {
    if (priced instanceof DomainError || (quote === undefined && maxCredits === undefined)) return priced;
    let { credits } = priced.price;
    if (quote !== undefined) {
      const account = await this.apiKeys.authenticate(key, address, 'send').catch(asRefusal);
      if (account instanceof DomainError) return account;
      const promised = this.pricePromises.priceOf(quote, { ...account, content: contentOf(priced), credits });
      if (promised instanceof DomainError) return promised;
      credits = Math.min(credits, promised);
    }
    return priceFault(credits, maxCredits) ?? { ...priced, price: { ...priced.price, credits } };
  }
}

/** What the price of an SMS is for. */
function contentOf({ price: { recipient }, body }: PricedMessage): readonly unknown[] {
  return ['sms', recipient, body];
}

function pricedOf(regions: RegionTable, to: string, text: string, options: SendOptions): PricedMessage | DomainError {
  const priced = priceOfSms(regions, to, text, options.encoding);
  return priced instanceof DomainError ? priced : (sendAtFault(options, Date.now()) ?? priced);
}

/** Why the rules refuse a message, for any sender. */
export function faultOfRules(
  regions: RegionTable,
  to: string,
  text: string,
  options: SendOptions,
): DomainError | undefined {
  const priced = pricedOf(regions, to, text, options);
  return priced instanceof DomainError ? priced : priceFault(priced.price.credits, options.maxCredits);
}

/** Why the caller does not accept the price, if so. */
export function priceFault(credits: number, maxCredits: number | undefined): DomainError | undefined {
  if (maxCredits === undefined || credits <= maxCredits) return undefined;
  const detail = `The price is ${credits} credits, more than "max_credits", ${maxCredits}. You were not charged.`;
  return new DomainError('price_above_max', detail);
}

/** Undefined for a message that leaves at once, does not expire, and is delivered as its kind is. */
export function timingOf({ sendAt, validitySeconds, hedgeSeconds }: SendOptions): MessageTiming | undefined {
  if (sendAt === undefined && validitySeconds === undefined && hedgeSeconds === undefined) return undefined;
  return { sendAt: sendAt ?? null, validitySeconds: validitySeconds ?? null, hedgeSeconds };
}

/**
 * Returns the refusal of a time that is too near or too far; undefined for a time that is allowed.
 * A repeated Idempotency-Key is answered before this applies: the time may have come since the
 * first request.
 */
export function sendAtFault({ sendAt }: SendOptions, nowMs: number): DomainError | undefined {
  if (!sendAt) return undefined;
  const secondsAhead = (sendAt.getTime() - nowMs) / 1_000;
  if (secondsAhead >= sendAtSecondsMin && secondsAhead <= sendAtDaysMax * 86_400) return undefined;
  const range = `from ${sendAtSecondsMin} seconds to ${sendAtDaysMax} days from now`;
  return new DomainError('invalid_send_at', `"send_at" is a time ${range}. You were not charged.`);
}
