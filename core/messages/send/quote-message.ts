import { Injectable } from '@nestjs/common';
import type { QuoteAnswer } from '#contract/dashboard.js';
import { unicodeCharactersIn } from '#contract/sms-characters.js';
import { publicCode } from '#contract/errors.js';
import { ApiKeys } from '../../keys/api-keys.js';
import { Accounts, type SendingState } from '../../accounts/accounts.js';
import { type Balance, Credits } from '../../credits/credits.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { charactersLeftIn, segmentsOf } from '../../rules/segments.js';
import { newMessageId } from '../../rules/ids.js';
import { likelyCountry } from '../../rules/phone-numbers.js';
import { Acceptance } from './acceptance.js';
import { rowOf } from './acceptance-batch.js';
import { contentOf, destinationOf, quoteOf, type Quote } from './quote.js';
import { refusalOf } from './decision.js';
import { regionOfCountry } from '../../rules/regions.js';

interface QuoteInput {
  readonly accountId: string;
  readonly to: string;
  readonly text: string;
  /** The caller's network address. */
  readonly address: string;
}

type Fault = QuoteAnswer['faults'][number];

/**
 * Returns a message's price and why it would be refused, by the same rules and the same acceptance;
 * changes nothing.
 */
@Injectable()
export class QuoteMessage {
  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly acceptance: Acceptance,
    private readonly credits: Credits,
    private readonly accounts: Accounts,
  ) {}

  async quote(input: QuoteInput): Promise<QuoteAnswer> {
    const { to, text, accountId } = input;
    const iso2 = likelyCountry(to);
    const region = iso2 === undefined ? undefined : regionOfCountry(iso2);
    const quote = quoteOf(to, text);
    const price = quote instanceof DomainError || text === '' ? null : quote.price;
    const [{ balance, frozen }, sending, faults] = await Promise.all([
      this.credits.balanceOf(accountId),
      this.accounts.sendingState(accountId),
      quote instanceof DomainError || text === '' ? faultsOfRules(to, text) : this.faultsOfAcceptance(input, quote),
    ]);
    const refused = liveRefusal({ balance, frozen }, sending, price);
    if (refused) faults.push(faultOf('credits', refusalOf(refused, new Date())));
    return {
      iso2: iso2 ?? null,
      country: region?.country ?? null,
      active: region?.active ?? false,
      ...segmentsOf(text),
      charactersLeft: charactersLeftIn(text),
      unicodeCharacters: unicodeCharactersIn(text),
      creditsPerSms: region?.creditsPerSms ?? null,
      credits: price,
      balance,
      balanceAfter: price === null || price > balance ? null : balance - price,
      faults,
    };
  }

  /** Why a test of this message is refused. Acceptance stores and charges nothing for a test. */
  private async faultsOfAcceptance({ accountId, text, address }: QuoteInput, quote: Quote): Promise<Fault[]> {
    const { apiKey } = await this.apiKeys.list(accountId);
    const key = { ...this.apiKeys.parse(apiKey), test: true };
    const row = rowOf({ id: newMessageId(), kind: 'sms', key, address }, { quote, body: text });
    const decision = await this.acceptance.decide(row);
    if (decision.kind !== 'refused') return [];
    const refusal = refusalOf(decision.code, new Date(), decision.cause, quote.url);
    if (decision.code === 'url_not_activated') return [faultOf('message', refusal)];
    if (decision.code === 'number_not_verified') return [faultOf('to', refusal)];
    if (decision.code === 'country_disabled') return [faultOf('to', refusal)];
    if (decision.code === 'recipient_opted_out') return [faultOf('to', refusal)];
    throw refusal;
  }
}

/** Refusals that a test does not get, in the order of acceptance. */
function liveRefusal(
  { balance, frozen }: Pick<Balance, 'balance' | 'frozen'>,
  { isDayFull, isDeliverySuspended }: SendingState,
  price: number | null,
) {
  if (isDeliverySuspended) return 'delivery_suspended';
  if (balance === 0) return 'no_credits';
  if (isDayFull) return 'daily_limit';
  if (price === null || price <= balance - frozen) return undefined;
  return price > balance ? 'insufficient_credits' : 'credits_frozen';
}

/** Checks each field by itself. An empty field is no fault yet. */
function faultsOfRules(to: string, text: string): Fault[] {
  const destination = to.trim() === '' ? undefined : destinationOf(to);
  const content = contentOf(text);
  return [
    ...(destination instanceof DomainError ? [faultOf('to', destination)] : []),
    ...(content instanceof DomainError ? [faultOf('message', content)] : []),
  ];
}

function faultOf(field: Fault['field'], { code, detail }: DomainError): Fault {
  return { field, code: publicCode(code), detail };
}
