import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import type { MediaFallback, MediaReference } from '#contract/message-media.js';
import { smartText } from '#contract/sms-characters.js';
import { CarrierSenders } from '../../carriers/carrier-senders.js';
import type { ApiKey } from '../../keys/api-key.js';
import { Config } from '../../platform/config/config.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { CurrentRegions } from '../../routes/current-regions.js';
import type { RegionTable } from '../../rules/regions.js';
import { urlIn } from '../../rules/urls.js';
import { Senders } from '../senders/senders.js';
import { priceFault } from './caller-price.js';
import { type FoundUrl, LINKS_TO_FILES } from './decision.js';
import { LinkedTexts } from './linked-texts.js';
import { destinationOf, mmsTerms, type PricedMessage, priceOfText, smsTerms, type Terms } from './price.js';
import { sendAtFault, type SendOptions } from './send-options.js';

/** Options of a caller for the files of a message. */
export interface MessageMediaOptions {
  /** At least one reference. */
  readonly references: readonly MediaReference[];
  readonly fallback: MediaFallback;
  /** Whether pictures may be made smaller. */
  readonly transcode: boolean;
}

/** Form in which a message leaves: a text, a message with files, or a text that ends with a link to each file. */
type MessageForm = 'sms' | 'mms' | 'links';

/** A message that the rules allow, in the form in which it leaves. */
export interface FormedMessage {
  readonly as: MessageForm;
  /** If the text has links, they lead nowhere yet: see {@link LinkedTexts}. */
  readonly message: PricedMessage;
  /** The text without links. */
  readonly text: string;
}

interface MessageToPrice {
  readonly to: string;
  readonly text: string;
  readonly options?: Pick<SendOptions, 'encoding'> | undefined;
  /** The files of a message with files. */
  readonly media?: MessageMediaOptions | undefined;
}

/** A message that its caller sends. */
interface MessageOfCaller extends MessageToPrice {
  readonly key: ApiKey;
  readonly options?: SendOptions | undefined;
}

/** A message that is being written. */
interface DraftMessage {
  readonly to: string;
  readonly text: string;
  /** Number of files. */
  readonly files: number;
  readonly fallback: MediaFallback;
}

/** Basis of a draft's price. */
export interface DraftTerms {
  readonly as: MessageForm;
  readonly terms: Terms;
  /** The text with its links. */
  readonly text: string;
  /** URL of a text with links: a URL in the text itself, or else the links. */
  readonly url: FoundUrl | undefined;
}

/** Prices messages: as texts, with their files, or as texts with links where files are not possible. */
@Injectable()
export class PriceMessage {
  constructor(
    private readonly carrierSenders: CarrierSenders,
    private readonly linkedTexts: LinkedTexts,
    private readonly config: Config,
    private readonly currentRegions: CurrentRegions,
    private readonly senders: Senders,
  ) {}

  /** Returns the refusal by the rules, as {@link of}, or by its time or named sender; otherwise the priced message. */
  async ofCaller({ key, options = {}, ...message }: MessageOfCaller): Promise<FormedMessage | DomainError> {
    const priced = this.of(await this.currentRegions.table(), { ...message, options });
    const fault = priced instanceof DomainError ? priced : sendAtFault(options, Date.now());
    if (fault || options.from === undefined) return fault ?? priced;
    return (await this.senders.faultOf(key, options.from)) ?? priced;
  }

  /** Returns the first refusal of the error table, as {@link priceOfText} for the form of the message. */
  of(regions: RegionTable, { to, text, options = {}, media }: MessageToPrice): FormedMessage | DomainError {
    const { encoding } = options;
    const message = priceOfText(regions, to, text, encoding, media && mmsTerms(this.offer));
    if (message instanceof DomainError)
      return media?.fallback === 'link' && isUnsupported(message)
        ? this.asLinks(regions, to, text, encoding, media)
        : message;
    return { as: media ? 'mms' : 'sms', message, text: message.body };
  }

  /** Returns the terms for a message that is being written, as far as its number is known. */
  ofDraft(regions: RegionTable, { to, text, files, fallback }: DraftMessage): DraftTerms {
    if (files === 0) return { as: 'sms', terms: smsTerms, text, url: undefined };
    const terms = mmsTerms(this.offer);
    if (fallback !== 'link' || !isUnsupported(destinationOf(regions, to, terms)))
      return { as: 'mms', terms, text, url: undefined };
    return { as: 'links', terms: smsTerms, text: this.linkedTexts.draft(text, files), url: urlOf(text) };
  }

  private get offer() {
    return {
      credits: this.config.mmsCredits,
      isCarried: (country: string) => {
        const senders = this.carrierSenders.ofCountry(country);
        return senders.length === 0 || senders.some((sender) => this.carrierSenders.takesFiles(sender));
      },
    };
  }

  private asLinks(
    regions: RegionTable,
    to: string,
    text: string,
    encoding: SendOptions['encoding'],
    { references }: MessageMediaOptions,
  ): FormedMessage | DomainError {
    // A text that is refused for its length is not shortened first.
    const isSmart = encoding === 'smart' && text.length <= limits.textCharactersMax;
    const sent = isSmart ? smartText(text) : text;
    const draft = this.linkedTexts.draft(sent, references.length);
    const priced = priceOfText(regions, to, draft, encoding === 'gsm7' ? encoding : 'auto');
    if (priced instanceof DomainError) return priced;
    return { as: 'links', message: { ...priced, price: { ...priced.price, url: urlOf(sent) } }, text: sent };
  }
}

/** Content that the price of a message applies to. */
export function contentOf(
  { as, message, text }: FormedMessage,
  media: MessageMediaOptions | undefined,
): readonly unknown[] {
  return [as, message.price.recipient, text, ...(media ? [media.references] : [])];
}

/** Returns the refusal of a text by the rules, for any sender. */
export function faultOfRules(
  regions: RegionTable,
  to: string,
  text: string,
  options: SendOptions,
): DomainError | undefined {
  const priced = priceOfText(regions, to, text, options.encoding);
  if (priced instanceof DomainError) return priced;
  return sendAtFault(options, Date.now()) ?? priceFault(priced.price.credits, options.maxCredits);
}

/** A link to a host without a public name counts as a URL too. */
function urlOf(text: string): FoundUrl {
  return urlIn(text)?.text ?? LINKS_TO_FILES;
}

function isUnsupported(result: unknown): boolean {
  return result instanceof DomainError && result.code === 'media_unsupported';
}
