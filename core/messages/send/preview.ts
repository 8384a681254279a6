import { Injectable } from '@nestjs/common';
import type { QuoteAnswer } from '#contract/dashboard.js';
import { publicCode } from '#contract/errors.js';
import { unicodeCharactersIn } from '#contract/sms-characters.js';
import type { MediaFallback } from '#contract/message-media.js';
import type { ApiKey } from '../../keys/api-key.js';
import { ApiKeyUsage } from '../../keys/api-key-usage.js';
import { ApiKeys } from '../../keys/api-keys.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import { newMessageId } from '../../rules/ids.js';
import { likelyCountry } from '../../rules/phone-numbers.js';
import type { RegionTable } from '../../rules/regions.js';
import { charactersLeftIn, segmentsOf } from '../../rules/segments.js';
import { type DraftTerms, PriceMms } from './price-mms.js';
import { CurrentRegions } from '../../routes/current-regions.js';
import { Senders } from '../senders/senders.js';
import { Acceptance } from './acceptance.js';
import { rowOf } from './acceptance-batch.js';
import { type DryRunDecision, type FoundUrl, LINKS_TO_FILES, refusalOf, type RefusalCode } from './decision.js';
import { contentOf, destinationOf, priceOfMessage, type PricedMessage, smsTerms, type Terms } from './price.js';

interface PreviewCaller {
  readonly key: ApiKey;
  /** The caller's network address. */
  readonly address: string;
  /** The number or the pool that the caller named. */
  readonly from?: string | undefined;
  readonly context?: RequestContext | undefined;
  /** Kind of the message; `sms` by default. */
  readonly kind?: 'sms' | 'mms';
}

/** A message that a test would accept. */
interface Previewed {
  readonly message: PricedMessage;
  readonly accountId: string;
  /** Balance in credits. */
  readonly balance: number;
  /** Credits of the balance that no dispute has frozen. */
  readonly available: number;
}

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
 * Previews messages by a dry run of the acceptance statement. Charges, stores and locks nothing.
 */
@Injectable()
export class Preview {
  constructor(
    private readonly acceptance: Acceptance,
    private readonly currentRegions: CurrentRegions,
    private readonly apiKeys: ApiKeys,
    private readonly senders: Senders,
    private readonly keyUsage: ApiKeyUsage,
    private readonly metrics: Metrics,
    private readonly priceMms: PriceMms,
  ) {}

  /**
   * Previews a request with an API key and records the use of the key. `message` is the error if
   * the rules refuse the message. Throws the errors that a test of the message throws.
   */
  async ofRequest(caller: PreviewCaller, message: PricedMessage | DomainError): Promise<Previewed> {
    try {
      const previewed = await this.requested(caller, message);
      this.metrics.accepts.inc({ verdict: 'tested' });
      return previewed;
    } catch (error) {
      this.metrics.accepts.inc({ verdict: error instanceof DomainError ? error.code : 'internal' });
      throw error;
    }
  }

  private async requested(caller: PreviewCaller, message: PricedMessage | DomainError): Promise<Previewed> {
    const decision = await this.dryRun(caller, message instanceof DomainError ? null : message);
    if (decision.account) this.keyUsage.record(caller.key, decision.account.keyRatePerSecond, caller.address);
    if (decision.kind === 'refused') throw refusalOf(decision.code, new Date(), decision.cause);
    if (message instanceof DomainError) throw message;
    const { account, messageRefusal, balance, available } = decision;
    if (messageRefusal) throw refusalOf(messageRefusal, new Date(), undefined, message.price.url);
    return { message, accountId: account.id, balance, available };
  }

  /**
   * Previews a message that is being written in the dashboard: its size, its price and the faults
   * of each field. Sending the message would answer with the first fault.
   */
  async ofDraft({ accountId, to, from, address, ...draft }: Draft): Promise<QuoteAnswer> {
    const regions = await this.currentRegions.table();
    const iso2 = likelyCountry(to);
    const region = iso2 === undefined ? undefined : regions.get(iso2);
    const { as, terms, text, url } = this.termsOf(regions, to, draft);
    const kind = as === 'mms' ? 'mms' : 'sms';
    const price = priceOfMessage(regions, to, text, terms);
    const message: PricedMessage | null =
      price instanceof DomainError || (text === '' && kind === 'sms')
        ? null
        : { price: { ...price, url: url ?? price.url }, body: text };
    const { apiKey } = await this.apiKeys.list(accountId);
    const key = this.apiKeys.parse(apiKey);
    const senderFault = from === undefined ? undefined : await this.senders.faultOf(key, from);
    const decision = await this.dryRun({ key, address, from, kind }, senderFault ? null : message);
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

  private termsOf(
    regions: RegionTable,
    to: string,
    { text, files = 0, fallback = 'refuse' }: Pick<Draft, 'text' | 'files' | 'fallback'>,
  ): DraftTerms | { readonly as: 'text'; readonly terms: Terms; readonly text: string; readonly url: undefined } {
    if (files === 0) return { as: 'text', terms: smsTerms, text, url: undefined };
    return this.priceMms.ofDraft(regions, { to, text, files, fallback });
  }

  /** The rules refuse the message if it is null. */
  private dryRun(
    { key, address, from, context, kind = 'sms' }: PreviewCaller,
    message: PricedMessage | null,
  ): Promise<DryRunDecision> {
    const row = rowOf({ id: newMessageId(), kind, key, address, from }, message);
    return this.acceptance.decide({ ...row, idempotencyKey: null, dryRun: true }, context);
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
