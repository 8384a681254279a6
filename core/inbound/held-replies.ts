import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Credits } from '../credits/credits.js';
import { Postgres } from '../platform/database/postgres.js';
import { PerGroup } from '../platform/database/per-group.js';
import { Logger } from '../platform/telemetry/logger.js';
import { WebhookEvents } from '../webhooks/webhook-events.js';
import { ForwardReplies, type ReplyToForward } from './forward-replies.js';
import { InboundRepository } from './inbound.repository.js';
import { Every } from '../platform/schedules/every.js';

const RELEASED_BATCH_MAX = 500;
const ACCOUNTS_MAX = 500;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

interface Released {
  readonly replies: readonly ReplyToForward[];
  readonly events: readonly (string | undefined)[];
}

/**
 * Releases held replies once their account has credits. Safe in several workers at once: balances
 * are locked.
 */
@Injectable()
export class HeldReplies {
  private readonly recoveredUpTo = new PerGroup(() => LOWEST_ID);

  constructor(
    private readonly postgres: Postgres,
    private readonly inbound: InboundRepository,
    private readonly credits: Credits,
    private readonly webhookEvents: WebhookEvents,
    private readonly forwardReplies: ForwardReplies,
    private readonly logger: Logger,
  ) {}

  /**
   * Forwards and charges the held replies that the account's balance covers, oldest first, and
   * returns how many. While the account does not receive, releases only replies to its own numbers,
   * and replies to a message with a URL for its replies.
   */
  async release(accountId: string): Promise<number> {
    let total = 0;
    for (let released = RELEASED_BATCH_MAX; released === RELEASED_BATCH_MAX; total += released) {
      const { replies, events } = await this.postgres.transaction((tx) => this.releaseBatch(tx, accountId));
      this.forwardReplies.announce(events, replies);
      released = replies.length;
    }
    if (total > 0) this.logger.info({ accountId, messages: total }, 'held replies released');
    return total;
  }

  /**
   * Releases the held replies of one batch of accounts that have credits again, such as by a
   * refund, or whose job was lost. Successive calls cover all accounts. Returns whether the current
   * pass has accounts left.
   */
  @Every({ name: 'held replies', everyMs: ({ dispatch }) => dispatch.recoveryIntervalMs, whileMore: true })
  async recover(): Promise<boolean> {
    const accountIds = await this.inbound.accountsHolding(this.recoveredUpTo.get(), ACCOUNTS_MAX);
    const more = accountIds.length === ACCOUNTS_MAX;
    this.recoveredUpTo.set((more && accountIds.at(-1)) || LOWEST_ID);
    for (const accountId of await this.releasable(accountIds)) {
      await this.release(accountId).catch((err: unknown) =>
        this.logger.warn({ err, accountId }, 'held replies not released yet'),
      );
    }
    return more;
  }

  private async releaseBatch(tx: EntityManager, accountId: string): Promise<Released> {
    const receives = (await this.webhookEvents.receiving(tx, [accountId])).has(accountId);
    const available = (await this.credits.lock(tx, [accountId])).get(accountId) ?? 0;
    const released = await this.inbound.release(tx, accountId, Math.min(available, RELEASED_BATCH_MAX), !receives);
    const replies = released.map((reply) => ({ ...reply, accountId }));
    return { replies, events: await this.forwardReplies.forward(tx, replies) };
  }

  /** Returns the accounts among these that have credits to spend and receive. */
  private async releasable(accountIds: readonly string[]): Promise<string[]> {
    if (accountIds.length === 0) return [];
    return this.postgres.transaction(async (tx) => {
      const balances = await this.credits.balancesOf(accountIds, tx);
      const receiving = await this.webhookEvents.receiving(tx, accountIds);
      const keeping = await this.inbound.accountsKeeping(tx, accountIds);
      return accountIds.filter((id) => {
        const { balance, frozen } = balances.get(id) ?? { balance: 0, frozen: 0 };
        return balance > frozen && (receiving.has(id) || keeping.has(id));
      });
    });
  }
}
