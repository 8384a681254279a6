import { Injectable } from '@nestjs/common';
import type { ApiKey } from '../../keys/api-key.js';
import { ApiKeys } from '../../keys/api-keys.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { asRefusal } from './decision.js';
import type { PricedMessage } from './price.js';
import { PricePromises } from './price-promises.js';

/** A caller, its quote and the price that it accepts. */
interface PricedFor {
  readonly key: ApiKey;
  /** The caller's network address. */
  readonly address: string;
  readonly options?: { readonly quote?: string; readonly maxCredits?: number } | undefined;
}

/** Determines the price for a caller: at most the quoted price and the caller's maximum. */
@Injectable()
export class CallerPrice {
  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly pricePromises: PricePromises,
  ) {}

  /** Returns the price of `content`, the refusal of a quote, or `price_above_max`. */
  async of(
    { key, address, options: { quote, maxCredits } = {} }: PricedFor,
    priced: PricedMessage,
    content: readonly unknown[],
  ): Promise<PricedMessage | DomainError> {
    if (quote === undefined && maxCredits === undefined) return priced;
    let { credits } = priced.price;
    if (quote !== undefined) {
      const account = await this.apiKeys.authenticate(key, address, 'send').catch(asRefusal);
      if (account instanceof DomainError) return account;
      const promised = this.pricePromises.priceOf(quote, { ...account, content, credits });
      if (promised instanceof DomainError) return promised;
      credits = Math.min(credits, promised);
    }
    return priceFault(credits, maxCredits) ?? { ...priced, price: { ...priced.price, credits } };
  }
}

/** Returns the refusal if the price is above the caller's maximum. */
export function priceFault(credits: number, maxCredits: number | undefined): DomainError | undefined {
  if (maxCredits === undefined || credits <= maxCredits) return undefined;
  const detail = `The price is ${credits} credits, more than "max_credits", ${maxCredits}. You were not charged.`;
  return new DomainError('price_above_max', detail);
}
