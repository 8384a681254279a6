import { Injectable } from '@nestjs/common';
import { DomainError } from '../../platform/errors/domain-error.js';
import { CurrentRegions } from '../../routes/current-regions.js';
import { priceFault } from '../send/caller-price.js';
import { PriceMessage } from '../send/price-message.js';
import { PricePromises } from '../send/price-promises.js';
import type { BulkRequest } from './bulk-caller.js';
import { cappedAt, contentOf, type PricedBulk, pricedItems, type PricedItem, totalOf } from './bulk-items.js';

/** Prices bulks for their callers. */
@Injectable()
export class PriceBulk {
  constructor(
    private readonly currentRegions: CurrentRegions,
    private readonly priceMessage: PriceMessage,
    private readonly pricePromises: PricePromises,
  ) {}

  /** Prices each item by the rules, as {@link pricedItems}. */
  async of({ body, options, media }: Pick<BulkRequest, 'body' | 'options' | 'media'>): Promise<PricedBulk> {
    const regions = await this.currentRegions.table();
    return pricedItems(body, {
      needsText: media === undefined,
      priceOf: (to, text) => this.priceMessage.of(regions, { to, text, options, media }),
    });
  }

  /**
   * Returns the items at the quoted price if it is lower. Throws `quote_invalid`, `quote_expired`,
   * `price_above_max`.
   */
  forCaller(accountId: string, items: readonly PricedItem[], { options, media }: BulkRequest): readonly PricedItem[] {
    let priced = items;
    if (options.quote !== undefined) {
      const content = { accountId, content: contentOf(items, media), credits: totalOf(items) };
      const promised = this.pricePromises.priceOf(options.quote, content);
      if (promised instanceof DomainError) throw promised;
      priced = cappedAt(promised, items);
    }
    const fault = priceFault(totalOf(priced), options.maxCredits);
    if (fault) throw fault;
    return priced;
  }

  /** Promises the price of all items for some minutes. */
  promise(accountId: string, items: readonly PricedItem[], media: BulkRequest['media']) {
    return this.pricePromises.issue({ accountId, content: contentOf(items, media) }, totalOf(items));
  }
}
