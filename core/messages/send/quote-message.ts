import { Injectable } from '@nestjs/common';
import { unicodeCharactersIn } from '#contract/sms-characters.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { newMessageId } from '../../rules/ids.js';
import { AcceptMessage } from './accept-message.js';
import { PrepareFiles } from './prepare-files.js';
import type { Price } from './price.js';
import { contentOf, PriceMessage } from './price-message.js';
import { PricePromises } from './price-promises.js';
import { kindOf, type MessageInput } from './send-message.js';

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

/** Prices messages and promises the price for some minutes. Sends, fetches and charges nothing. */
@Injectable()
export class QuoteMessage {
  constructor(
    private readonly acceptMessage: AcceptMessage,
    private readonly prepareFiles: PrepareFiles,
    private readonly priceMessage: PriceMessage,
    private readonly pricePromises: PricePromises,
  ) {}

  /**
   * Throws the errors that a test of the message throws, except errors of files at URLs, which are
   * fetched when the message is sent. Ignores earlier quotes and `maxCredits`.
   */
  async quote(input: Omit<MessageInput, 'idempotencyKey' | 'reference' | 'callback'>): Promise<MessageQuote> {
    const { key, address, context, options, media } = input;
    const formed = await this.priceMessage.ofCaller(input);
    const kind = kindOf(formed, media);
    const message = formed instanceof DomainError ? formed : { id: newMessageId(), ...formed.message };
    const request = { kind, key, address, context, from: options?.from } as const;
    const { accountId, balance, available } = await this.acceptMessage.preview(request, message);
    if (formed instanceof DomainError) throw formed;
    if (media) await this.prepareFiles.known({ key, accountId }, media);
    const { price, body } = formed.message;
    const { segments, encoding, country, credits } = price;
    const promised = this.pricePromises.issue({ accountId, content: contentOf(formed, media) }, credits);
    const unsupportedCharacters = unicodeCharactersIn(body);
    return { ...promised, kind, segments, encoding, country, credits, unsupportedCharacters, balance, available };
  }
}
