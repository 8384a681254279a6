import { Injectable } from '@nestjs/common';
import { Config } from '../platform/config/config.js';
import { eachDueRow } from '../platform/durable-work/durable-work.js';
import { Every } from '../platform/schedules/every.js';
import { Logger } from '../platform/telemetry/logger.js';
import { NumberDirectory } from './number-directory.js';
import { type Order, OrdersRepository } from './orders.repository.js';
import { SettleOrder } from './settle-order.js';

const SETTLED_EVERY_MS = 2_000;
/**
 * Seconds between two reads of the carrier's list; a tenth of its age for a purchase that stays
 * undecided.
 */
const AGAIN_SECONDS = { min: 5, max: 300 } as const;
/** The carrier's list may lag behind its sales. */
const LIST_LAG_MS = 60_000;

/**
 * Determines the outcome of purchases whose request ended without it, by the carrier's list: the
 * number is there and goes to the account, or it never will be and the credits return. An order
 * that the carrier has not decided waits.
 */
@Injectable()
export class SettleDueOrders {
  constructor(
    private readonly orders: OrdersRepository,
    private readonly settleOrder: SettleOrder,
    private readonly directory: NumberDirectory,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {}

  /** Returns how many purchases ended. */
  @Every({ name: 'number orders', everyMs: SETTLED_EVERY_MS })
  async run(now = new Date()): Promise<number> {
    let ended = 0;
    const work = { name: 'purchases of numbers', logger: this.logger, atOnceMax: 1 };
    await eachDueRow(await this.orders.takeDue(), work, async (order) => {
      if (await this.settle(order, now)) ended += 1;
    });
    if (ended > 0) await this.directory.renewed();
    return ended;
  }

  private async settle(order: Order, now: Date): Promise<boolean> {
    const settled = await this.settleOrder.listed(order);
    if (settled && settled.kind !== 'pending') return true;
    const ageMs = now.getTime() - order.createdAt.getTime();
    // The list has been read, and lacks the number.
    if (!settled && ageMs > this.undecidedMs) return (await this.settleOrder.fail(order, 'not_sold')).byUs;
    await this.orders.postpone(order.id, Math.min(AGAIN_SECONDS.max, Math.max(AGAIN_SECONDS.min, ageMs / 10_000)));
    return false;
  }

  /** Time after which no call of the request is under way. */
  private get undecidedMs(): number {
    return 3 * this.config.dispatch.timeoutMs + LIST_LAG_MS;
  }
}
