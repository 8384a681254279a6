import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import type { MediaFallback, MediaReference } from '#contract/message-media.js';
import { smartText } from '#contract/sms-characters.js';
import type { ApiKey } from '../../keys/api-key.js';
import { MediaLinks } from '../../media/media-links.js';
import { Config } from '../../platform/config/config.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { RegionTable } from '../../rules/regions.js';
import { urlIn } from '../../rules/urls.js';
import { CarrierSenders } from '../../carriers/carrier-senders.js';
import { CurrentRegions } from '../../routes/current-regions.js';
import { Senders } from '../senders/senders.js';
import { destinationOf, mmsTerms, type PricedMessage, priceOfMms, priceOfSms, smsTerms, type Terms } from './price.js';
import { type FoundUrl, LINKS_TO_FILES } from './decision.js';
import { sendAtFault, type SendOptions } from './send-options.js';

/** Options of a caller for the files of a message. */
export interface MessageMediaOptions {
  /** At least one reference. */
  readonly references: readonly MediaReference[];
  readonly fallback: MediaFallback;
  /** Whether pictures may be made smaller. */
  readonly transcode: boolean;
}

/** A message with files that the rules allow. */
export interface PricedMms {
  /** `links`: a text that ends with a link to each file. */
  readonly as: 'mms' | 'links';
  /** If the text has links, they lead nowhere yet: see {@link LinkedTexts}. */
  readonly message: PricedMessage;
  /** The text without links. */
  readonly text: string;
  /** Content that the price applies to. */
  readonly content: readonly unknown[];
}

interface MmsToPrice {
  readonly to: string;
  readonly text: string;
  readonly options: Pick<SendOptions, 'encoding'>;
  readonly media: MessageMediaOptions;
}

/** A message with files that its caller sends. */
interface MmsOfCaller extends MmsToPrice {
  readonly key: ApiKey;
  readonly options: SendOptions;
}

/** A message that is being written. */
interface DraftMms {
  readonly to: string;
  readonly text: string;
  readonly files: number;
  readonly fallback: MediaFallback;
}

/** Basis of a draft's price. */
export interface DraftTerms {
  readonly as: 'mms' | 'links';
  readonly terms: Terms;
  /** The text with its links. */
  readonly text: string;
  /** URL of a text with links: a URL in the text itself, or else the links. */
  readonly url: FoundUrl | undefined;
}

/** Placeholder id, whose link is as long as a real link. */
const NO_FILE = '00000000-0000-7000-8000-000000000000';

/** Builds texts that end with links to files. */
@Injectable()
export class LinkedTexts {
  constructor(private readonly links: MediaLinks) {}

  /** Returns the text with placeholder links of the final length. */
  draft(text: string, files: number): string {
    return joined(
      text,
      Array.from({ length: files }, () => this.links.to(NO_FILE)),
    );
  }

  /** Returns the text of a message whose links work from `leavesAt` on. */
  of(text: string, ids: readonly string[], leavesAt: Date): string {
    return joined(
      text,
      ids.map((id) => this.links.to(id, leavesAt)),
    );
  }
}

function joined(text: string, links: readonly string[]): string {
  return [...(text === '' ? [] : [text]), ...links].join('\n');
}

/** Prices messages with files: as MMS, or as texts with links where that is not possible. */
@Injectable()
export class PriceMms {
  constructor(
    private readonly carrierSenders: CarrierSenders,
    private readonly linkedTexts: LinkedTexts,
    private readonly config: Config,
    private readonly currentRegions: CurrentRegions,
    private readonly senders: Senders,
  ) {}

  /**
   * Returns the refusal by the rules, as {@link of}, or by its time or named sender; otherwise the
   * form of the message and its price.
   */
  async ofCaller({ key, to, text, options, media }: MmsOfCaller): Promise<PricedMms | DomainError> {
    const priced = this.of(await this.currentRegions.table(), { to, text, options, media });
    const fault = priced instanceof DomainError ? priced : sendAtFault(options, Date.now());
    if (fault || options.from === undefined) return fault ?? priced;
    return (await this.senders.faultOf(key, options.from)) ?? priced;
  }

  /** Returns the first refusal of the error table, as `priceOfMms` and, for links, `priceOfSms`. */
  of(regions: RegionTable, { to, text, options, media }: MmsToPrice): PricedMms | DomainError {
    const { references, fallback } = media;
    const priced = priceOfMms(regions, to, text, { encoding: options.encoding, ...this.offer });
    if (priced instanceof DomainError)
      return fallback === 'link' && isUnsupported(priced) ? this.asLinks(regions, to, text, options, media) : priced;
    const content = ['mms', priced.price.recipient, priced.body, references];
    return { as: 'mms', message: priced, text: priced.body, content };
  }

  /** Returns the terms for a message that is being written, as far as its number is known. */
  ofDraft(regions: RegionTable, { to, text, files, fallback }: DraftMms): DraftTerms {
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
    { encoding }: Pick<SendOptions, 'encoding'>,
    { references }: MessageMediaOptions,
  ): PricedMms | DomainError {
    // A text that is refused for its length is not shortened first.
    const isSmart = encoding === 'smart' && text.length <= limits.textCharactersMax;
    const sent = isSmart ? smartText(text) : text;
    const draft = this.linkedTexts.draft(sent, references.length);
    const priced = priceOfSms(regions, to, draft, encoding === 'gsm7' ? encoding : 'auto');
    if (priced instanceof DomainError) return priced;
    const { price } = priced;
    const content = ['links', price.recipient, sent, references];
    return { as: 'links', message: { ...priced, price: { ...price, url: urlOf(sent) } }, text: sent, content };
  }
}

/** A link to a host without a public name counts as a URL too. */
function urlOf(text: string): FoundUrl {
  return urlIn(text)?.text ?? LINKS_TO_FILES;
}

function isUnsupported(result: unknown): boolean {
  return result instanceof DomainError && result.code === 'media_unsupported';
}
