import { Injectable } from '@nestjs/common';
import type { RejectedItem } from '#contract/bulk.js';
import { type Balance, Credits } from '../../credits/credits.js';
import { refusalOf } from '../send/decision.js';
import type { AcceptedBulk, BulkRequest } from './bulk-caller.js';
import { bulkRejected, rejectedItem, totalOf, type PricedItem } from './bulk-items.js';
import { PriceBulk } from './price-bulk.js';
import { SendBulk } from './send-bulk.js';

/** The price of a bulk that was not sent. */
export interface BulkQuote extends Pick<AcceptedBulk, 'rejected' | 'credits'> {
  /** Promises the price until `expiresAt`. */
  readonly quote: string;
  readonly expiresAt: Date;
  /** `mms` if some of the messages have files. */
  readonly kind: 'sms' | 'mms';
  readonly messages: number;
  readonly segments: number;
  /** Balance in credits. */
  readonly balance: number;
  /** Credits of the balance that no dispute has frozen. */
  readonly available: number;
}

/** Returns the cost of a bulk and the items that would be refused. */
@Injectable()
export class QuoteBulk {
  constructor(
    private readonly sendBulk: SendBulk,
    private readonly priceBulk: PriceBulk,
    private readonly credits: Credits,
  ) {}

  /**
   * Prices a bulk and promises the price for some minutes. Sends and charges nothing. With
   * `partial`, the answer to a live key also rejects items that the balance does not cover. Throws
   * the errors that a test of the bulk throws, and `bulk_rejected` when nothing could be sent;
   * ignores earlier quotes and `maxCredits`.
   */
  async quote(input: Omit<BulkRequest, 'idempotencyKey'>): Promise<BulkQuote> {
    const { key, body, media } = input;
    const { quote: _quote, maxCredits: _maxCredits, ...options } = input.options;
    const tested = await this.sendBulk.foresee({ ...input, options });
    const { accountId, items } = tested;
    const isRefused = new Set(tested.rejected.map(({ index }) => index));
    const accepted = items.filter(({ index }) => !isRefused.has(index));
    const money = await this.credits.balanceOf(accountId);
    const { balance, frozen } = money;
    const uncovered = body.partial && !key.test ? beyondBalance(accepted, money) : [];
    const rejected = [...tested.rejected, ...uncovered].sort((a, b) => a.index - b.index);
    const isUncovered = new Set(uncovered.map(({ index }) => index));
    const covered = accepted.filter(({ index }) => !isUncovered.has(index));
    if (covered.length === 0) throw bulkRejected(rejected, { partial: body.partial ?? false, isPartlySendable: false });
    // Refused items may be accepted later: a promise without their price would give them away.
    const promised = this.priceBulk.promise(accountId, items, media);
    return {
      ...promised,
      kind: covered.some(({ as }) => as === 'mms') ? 'mms' : 'sms',
      messages: covered.length,
      rejected,
      segments: covered.reduce((sum, { price }) => sum + price.segments, 0),
      credits: totalOf(covered),
      balance,
      available: balance - frozen,
    };
  }
}

/** Returns the items that acceptance would refuse because earlier items use up the credits. */
function beyondBalance(items: readonly PricedItem[], { balance, frozen }: Balance): RejectedItem[] {
  const at = new Date();
  let left = balance - frozen;
  return items.flatMap(({ index, to, price: { credits } }) => {
    if (credits <= left) {
      left -= credits;
      return [];
    }
    const code = credits <= left + frozen ? 'credits_frozen' : 'insufficient_credits';
    return [rejectedItem(index, to, refusalOf(code, at))];
  });
}
