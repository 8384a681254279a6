import { Injectable } from '@nestjs/common';
import { Credits } from '../credits/credits.js';
import { Postgres } from '../platform/database/postgres.js';
import { Logger } from '../platform/telemetry/logger.js';
import { AccountEvents } from '../platform/events/account-events.js';
import { Receiving } from '../webhooks/receiving.js';
import { Forwarding } from './forwarding.js';
import { InboundMessagesRepository, type ReleasedMessage } from './inbound-messages.repository.js';

const BATCH_MAX = 500;

/**
 * Forwards the messages that an account's balance now covers, oldest first, and charges each once. While the account does not
 * receive they stay held. Safe in several workers at once: the balance is locked.
 */
@Injectable()
export class ReleaseHeld {
  constructor(
    private readonly postgres: Postgres,
    private readonly receiving: Receiving,
    private readonly credits: Credits,
    private readonly messages: InboundMessagesRepository,
    private readonly forwarding: Forwarding,
    private readonly news: AccountEvents,
    private readonly logger: Logger,
  ) {}

  /** Answers how many were released. */
  async run(accountId: string): Promise<number> {
    let total = 0;
    for (let released = BATCH_MAX; released === BATCH_MAX; total += released)
      released = await this.releaseBatch(accountId);
    if (total > 0) this.logger.info({ accountId, messages: total }, 'held messages released');
    return total;
  }

  private async releaseBatch(accountId: string): Promise<number> {
    const { released, events } = await this.postgres.transaction(async (tx) => {
      if (!(await this.receiving.isOn(tx, accountId))) return nothing;
      const balance = (await this.credits.lock(tx, [accountId])).get(accountId) ?? 0;
      const messages = await this.messages.release(tx, accountId, Math.min(balance, BATCH_MAX));
      const owned = messages.map((message) => ({ ...message, accountId }));
      return { released: messages, events: await this.forwarding.forward(tx, owned) };
    });
    this.forwarding.wake(events);
    for (const { id } of released) this.news.received(accountId, id);
    return released.length;
  }
}

const nothing: { released: ReleasedMessage[]; events: (string | undefined)[] } = { released: [], events: [] };
