import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Logger } from '../platform/telemetry/logger.js';
import { EndpointsRepository } from './endpoints/endpoints.repository.js';

const FRESH_MS = 2_000;
const ACCOUNTS_MAX = 10_000;

/**
 * Which accounts want to be told of their messages' states, remembered for two seconds: so the states of a million messages
 * cost nobody a look-up, and a subscription takes effect two seconds later. Beyond the bound everybody may want it, and the
 * statement that writes events decides.
 */
@Injectable()
export class MessageSubscribers {
  private known: Promise<Set<string> | undefined> | undefined;
  private askedAtMs = 0;

  constructor(
    private readonly endpoints: EndpointsRepository,
    private readonly logger: Logger,
  ) {}

  /**
   * Answers whether an account may want it; undefined when none does. Within a transaction pass it: transactions that wait for
   * a second connection each would wait for each other once they have all there are.
   */
  async current(tx?: EntityManager): Promise<((accountId: string) => boolean) | undefined> {
    const accounts = await this.accounts(tx);
    if (accounts === undefined) return () => true;
    return accounts.size === 0 ? undefined : (accountId) => accounts.has(accountId);
  }

  private async accounts(tx?: EntityManager): Promise<Set<string> | undefined> {
    const nowMs = performance.now();
    if (!this.known || nowMs - this.askedAtMs > FRESH_MS) {
      this.askedAtMs = nowMs;
      this.known = this.endpoints.subscribedToMessages(ACCOUNTS_MAX, tx).catch((err: unknown) => {
        this.logger.warn({ err }, 'subscribers not known');
        return undefined;
      });
    }
    return this.known;
  }
}
