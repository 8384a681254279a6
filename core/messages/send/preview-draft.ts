import { Injectable } from '@nestjs/common';
import type { QuoteAnswer } from '#contract/dashboard.js';
import { publicCode } from '#contract/errors.js';
import { unicodeCharactersIn } from '#contract/sms-characters.js';
import type { MediaFallback } from '#contract/message-media.js';
import { ApiKeys } from '../../keys/api-keys.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { newMessageId } from '../../rules/ids.js';
import { likelyCountry } from '../../rules/phone-numbers.js';
import type { RegionTable } from '../../rules/regions.js';
import { charactersLeftIn, segmentsOf } from '../../rules/segments.js';
import { PriceMessage } from './price-message.js';
import { CurrentRegions } from '../../routes/current-regions.js';
import { Senders } from '../senders/senders.js';
import { Acceptance } from './acceptance.js';
import { rowOf } from './acceptance-batch.js';
import { type DryRunDecision, type FoundUrl, LINKS_TO_FILES, refusalOf, type RefusalCode } from './decision.js';
import { contentOf, destinationOf, priceOfMessage, type PricedMessage, type Terms } from './price.js';

/** A message as it is being written. */
interface Draft {
  readonly accountId: string;
  readonly to: string;
  readonly text: string;
  /** Number of files; none by default. */
  readonly files?: number | undefined;
  readonly fallback?: MediaFallback | undefined;
  /** The number or the pool to send from. */
  readonly from?: string | undefined;
  /** The caller's network address. */
  readonly address: string;
}

type Fault = QuoteAnswer['faults'][number];

/**
 * Previews messages that are being written in the dashboard, by a dry run of the acceptance
 * statement. Charges, stores and locks nothing.
 */
@Injectable()
export class PreviewDraft {
  constructor(
    private readonly acceptance: Acceptance,
    private readonly currentRegions: CurrentRegions,
    private readonly apiKeys: ApiKeys,
    private readonly senders: Senders,
    private readonly priceMessage: PriceMessage,
  ) {}

  /**
   * Returns the size of a message, its price and the faults of each field. Sending the message would
   * answer with the first fault.
   */
  async of({
    accountId,
    to,
    text: written,
    from,
    address,
    files = 0,
    fallback = 'refuse',
  }: Draft): Promise<QuoteAnswer> {
    const regions = await this.currentRegions.table();
    const iso2 = likelyCountry(to);
    const region = iso2 === undefined ? undefined : regions.get(iso2);
    const { as, terms, text, url } = this.priceMessage.ofDraft(regions, { to, text: written, files, fallback });
    const kind = as === 'mms' ? 'mms' : 'sms';
    const price = priceOfMessage(regions, to, text, terms);
    const message: PricedMessage | null =
      price instanceof DomainError || (text === '' && kind === 'sms')
        ? null
        : { price: { ...price, url: url ?? price.url }, body: text };
    const { apiKey } = await this.apiKeys.list(accountId);
    const key = this.apiKeys.parse(apiKey);
    const senderFault = from === undefined ? undefined : await this.senders.faultOf(key, from);
    const row = rowOf({ id: newMessageId(), kind, key, address, from }, senderFault ? null : message);
    const decision = await this.acceptance.decide({ ...row, idempotencyKey: null, dryRun: true });
    if (decision.kind === 'refused') throw refusalOf(decision.code, new Date(), decision.cause);
    const { balance, available } = decision;
    const credits = message?.price.credits ?? null;
    const size = segmentsOf(text);
    return {
      kind,
      iso2: iso2 ?? null,
      country: region?.country ?? null,
      active: region?.active ?? false,
      encoding: size.encoding,
      segments: terms.charactersMax === undefined ? size.segments : 1,
      charactersLeft:
        terms.charactersMax === undefined ? charactersLeftIn(text) : Math.max(0, terms.charactersMax - text.length),
      unicodeCharacters: unicodeCharactersIn(text),
      creditsPerSms: region?.creditsPerSms ?? null,
      credits,
      balance,
      balanceAfter: credits === null || credits > available ? null : balance - credits,
      faults: faultsOf(
        decision,
        [
          ...(message ? [] : faultsOfRules(regions, to, text, terms)),
          ...(senderFault ? [faultOf('from', senderFault)] : []),
        ],
        message?.price.url,
      ),
    };
  }
}

/**
 * The refusal that sending gets comes first; refusals of the rules follow refusals of the account.
 */
function faultsOf(
  { refusal, messageRefusal, accountRefusal }: Extract<DryRunDecision, { readonly kind: 'previewed' }>,
  ofRules: readonly Fault[],
  url: FoundUrl | undefined,
): Fault[] {
  const at = new Date();
  const faultOfCode = (code: RefusalCode | null) => {
    if (code === null) return [];
    const ofUrl = url === LINKS_TO_FILES ? 'files' : 'message';
    const field = code === accountRefusal ? 'credits' : code === 'url_not_activated' ? ofUrl : 'to';
    return [faultOf(field, refusalOf(code, at, undefined, url))];
  };
  const isLater = (code: RefusalCode | null) => code !== refusal;
  return [
    ...faultOfCode(refusal),
    ...ofRules,
    ...[messageRefusal, accountRefusal].filter(isLater).flatMap(faultOfCode),
  ];
}

/** Checks each field by itself. An empty field is no fault yet. */
function faultsOfRules(regions: RegionTable, to: string, text: string, terms: Terms): Fault[] {
  const destination = to.trim() === '' ? undefined : destinationOf(regions, to, terms);
  const content = contentOf(text, terms);
  return [
    ...(destination instanceof DomainError
      ? [faultOf(destination.code === 'media_unsupported' ? 'files' : 'to', destination)]
      : []),
    ...(content instanceof DomainError ? [faultOf('message', content)] : []),
  ];
}

function faultOf(field: Fault['field'], { code, detail }: DomainError): Fault {
  return { field, code: publicCode(code), detail };
}
