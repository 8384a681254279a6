import { Injectable } from '@nestjs/common';
import type { ApiKey } from '../../keys/api-key.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { RegionTable } from '../../rules/regions.js';
import { CurrentRegions } from '../../routes/current-regions.js';
import { Senders } from '../senders/senders.js';
import { priceOfSms, type PricedMessage } from './price.js';
import { sendAtFault, type SendOptions } from './send-options.js';

interface SmsToPrice {
  readonly key: ApiKey;
  readonly to: string;
  readonly text: string;
  readonly options?: SendOptions | undefined;
}

/** Prices texts for their callers. */
@Injectable()
export class PriceSms {
  constructor(
    private readonly currentRegions: CurrentRegions,
    private readonly senders: Senders,
  ) {}

  /** Returns the priced message, or the refusal by the rules or for the named sender. */
  async of({ key, to, text, options = {} }: SmsToPrice): Promise<PricedMessage | DomainError> {
    const priced = pricedSms(await this.currentRegions.table(), to, text, options);
    if (priced instanceof DomainError || options.from === undefined) return priced;
    return (await this.senders.faultOf(key, options.from)) ?? priced;
  }
}

/** As {@link PriceSms.of}, for any sender. */
export function pricedSms(
  regions: RegionTable,
  to: string,
  text: string,
  options: SendOptions,
): PricedMessage | DomainError {
  const priced = priceOfSms(regions, to, text, options.encoding);
  return priced instanceof DomainError ? priced : (sendAtFault(options, Date.now()) ?? priced);
}
