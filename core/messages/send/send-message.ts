import { Injectable } from '@nestjs/common';
import { unicodeCharactersIn } from '#contract/sms-characters.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { newMessageId } from '../../rules/ids.js';
import type { RegionTable } from '../../rules/regions.js';
import type { MessageMediaOptions } from './price-mms.js';
import { QuoteMms } from './quote-mms.js';
import { SendMms } from './send-mms.js';
import { AcceptMessage, type AcceptedMessage, type MessageRequest } from './accept-message.js';
import { CallerPrice, priceFault } from './caller-price.js';
import { Preview } from './preview.js';
import type { Price, PricedMessage } from './price.js';
import { PricePromises } from './price-promises.js';
import { pricedSms, PriceSms } from './price-sms.js';
import { type SendOptions, timingOf } from './send-options.js';

interface SendMessageInput extends Omit<MessageRequest, 'kind' | 'timing' | 'from' | 'files'> {
  readonly to: string;
  readonly text: string;
  readonly options?: SendOptions;
  /** The files of a message with files. */
  readonly media?: MessageMediaOptions | undefined;
}

/** The price of a message that was not sent. */
interface MessageQuote extends Pick<Price, 'segments' | 'encoding' | 'country' | 'credits'> {
  readonly kind: 'sms' | 'mms';
  /** Promises the price until `expiresAt`. */
  readonly quote: string;
  readonly expiresAt: Date;
  /** The first characters outside GSM-7. */
  readonly unsupportedCharacters: string[];
  /** Balance in credits. */
  readonly balance: number;
  /** Credits of the balance that no dispute has frozen. */
  readonly available: number;
}

/**
 * Sends one message: prices it and accepts it; the worker hands it to the carrier. Throws as
 * {@link AcceptMessage}, and for a message with files as {@link SendMms}.
 */
@Injectable()
export class SendMessage {
  constructor(
    private readonly acceptMessage: AcceptMessage,
    private readonly callerPrice: CallerPrice,
    private readonly preview: Preview,
    private readonly pricePromises: PricePromises,
    private readonly priceSms: PriceSms,
    private readonly sendMms: SendMms,
    private readonly quoteMms: QuoteMms,
  ) {}

  async send(input: SendMessageInput): Promise<AcceptedMessage> {
    const { media } = input;
    return media ? this.sendMms.send({ options: {}, ...input, media }) : this.sendText(input);
  }

  private async sendText(input: SendMessageInput): Promise<AcceptedMessage> {
    const { to, text, options = {}, key, reference, idempotencyKey, callback, address, context } = input;
    const priced = await this.price(input, await this.priceSms.of(input));
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

  private async price(
    input: SendMessageInput,
    priced: PricedMessage | DomainError,
  ): Promise<PricedMessage | DomainError> {
    return priced instanceof DomainError ? priced : this.callerPrice.of(input, priced, contentOf(priced));
  }

  /**
   * Prices a message and promises the price for some minutes. Sends and charges nothing. Throws the
   * errors that a test of the message throws; ignores earlier quotes and `maxCredits`.
   */
  async quote(input: Omit<SendMessageInput, 'idempotencyKey' | 'reference'>): Promise<MessageQuote> {
    const { to, text, options = {}, media, ...caller } = input;
    if (media) return this.quoteMms.quote({ ...caller, to, text, options, media });
    const { message, accountId, balance, available } = await this.preview.ofRequest(
      { ...caller, from: options.from },
      await this.priceSms.of(input),
    );
    const { segments, encoding, country, credits } = message.price;
    const promised = this.pricePromises.issue({ accountId, content: contentOf(message) }, credits);
    const unsupportedCharacters = unicodeCharactersIn(message.body);
    const kind = 'sms';
    return { ...promised, kind, segments, encoding, country, credits, unsupportedCharacters, balance, available };
  }
}

/** Content that the price of an SMS applies to. */
function contentOf({ price: { recipient }, body }: PricedMessage): readonly unknown[] {
  return ['sms', recipient, body];
}

/** Returns the refusal of a message by the rules, for any sender. */
export function faultOfRules(
  regions: RegionTable,
  to: string,
  text: string,
  options: SendOptions,
): DomainError | undefined {
  const priced = pricedSms(regions, to, text, options);
  return priced instanceof DomainError ? priced : priceFault(priced.price.credits, options.maxCredits);
}
