import { Injectable } from '@nestjs/common';
import { unicodeCharactersIn } from '#contract/sms-characters.js';
import type { ApiKey } from '../../keys/api-key.js';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Preview } from './preview.js';
import { PricePromises } from './price-promises.js';
import type { SendOptions } from './send-options.js';
import { GivenFiles } from '../files/given-files.js';
import { type MessageMediaOptions, PriceMms } from './price-mms.js';

interface MmsToQuote {
  readonly key: ApiKey;
  /** The caller's network address. */
  readonly address: string;
  readonly context?: RequestContext | undefined;
  readonly to: string;
  readonly text: string;
  readonly options: SendOptions;
  readonly media: MessageMediaOptions;
}

/**
 * Prices messages with files and promises the price for some minutes. Sends, fetches and charges
 * nothing.
 */
@Injectable()
export class QuoteMms {
  constructor(
    private readonly priceMms: PriceMms,
    private readonly preview: Preview,
    private readonly pricePromises: PricePromises,
    private readonly givenFiles: GivenFiles,
  ) {}

  /**
   * Throws the errors that a test of the message throws, except errors of files at URLs, which are
   * fetched when the message is sent.
   */
  async quote({ key, address, context, ...message }: MmsToQuote) {
    const priced = await this.priceMms.ofCaller({ key, ...message });
    const isRefused = priced instanceof DomainError;
    const kind = isRefused || priced.as === 'mms' ? 'mms' : 'sms';
    const asked = isRefused ? priced : priced.message;
    const previewed = await this.preview.ofRequest({ key, address, from: message.options.from, context, kind }, asked);
    if (isRefused) throw priced;
    const { accountId, balance, available } = previewed;
    await this.givenFiles.known({ accountId, isTest: key.test }, message.media.references);
    const { segments, encoding, country, credits } = previewed.message.price;
    const promised = this.pricePromises.issue({ accountId, content: priced.content }, credits);
    const unsupportedCharacters = unicodeCharactersIn(previewed.message.body);
    return {
      ...promised,
      kind,
      segments,
      encoding,
      country,
      credits,
      unsupportedCharacters,
      balance,
      available,
    } as const;
  }
}
