import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { WebhookEventType } from '#contract/webhooks.js';
import { WebhookQueue } from '../platform/queue/queues.js';
import { PerGroup } from '../platform/database/per-group.js';
import { Logger } from '../platform/telemetry/logger.js';
import type { RequestContext } from '../platform/telemetry/request-context.js';
import { newMessageId } from '../rules/ids.js';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { EndpointsRepository } from './endpoints/endpoints.repository.js';

export const SUBSCRIBERS_FRESH_MS = 2_000;
const SUBSCRIBERS_MAX = 10_000;

export interface WebhookEvent {
  readonly accountId: string;
  readonly type: WebhookEventType;
  /** Subject of the event. A type and source have at most one event. */
  readonly sourceId: string;
  readonly payload: object;
}

interface Subscribers {
  readonly atMs: number;
  /** Undefined for too many subscribers, or after a failed read. */
  readonly accounts: Promise<Set<string> | undefined>;
}

/**
 * Records webhook events in the transaction that causes them, and enqueues their deliveries after
 * the commit.
 */
@Injectable()
export class WebhookEvents {
  private readonly subscribers = new PerGroup<Subscribers | undefined>(() => undefined);

  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly endpoints: EndpointsRepository,
    private readonly queue: WebhookQueue,
    private readonly logger: Logger,
  ) {}

  /**
   * Records the event within the caller's transaction and returns its id for `enqueue`. Returns
   * undefined when the account has no URL, is not subscribed to the type, or the event was recorded
   * before.
   */
  async record(tx: EntityManager, event: WebhookEvent): Promise<string | undefined> {
    const [id] = await this.recordAll(tx, [event]);
    return id;
  }

  /** Records several events in one statement; returns an id or undefined for each, in order. */
  async recordAll(tx: EntityManager, events: readonly WebhookEvent[]): Promise<(string | undefined)[]> {
    if (events.length === 0) return [];
    const at = new Date();
    const rows = events.map(({ payload, ...event }) => ({
      ...event,
      id: newMessageId(),
      body: webhookBody(event.type, payload, at),
    }));
    const written = await this.deliveries.insert(tx, rows);
    return rows.map(({ id }) => (written.has(id) ? id : undefined));
  }

  /**
   * Enqueues recorded events after the commit, each with its request context if it has one. Never
   * fails: recovery enqueues events that the queue did not take, within about 15 seconds.
   */
  enqueue(ids: readonly (string | undefined)[], contexts: readonly (RequestContext | undefined)[] = []): void {
    const contextOf = new Map(ids.map((id, index) => [id, contexts[index]]));
    const recorded = ids.filter((id) => id !== undefined);
    if (recorded.length === 0) return;
    this.deliveries
      .owners(recorded)
      .then((owners) => owners.forEach((owner) => this.queue.enqueue({ ...owner, context: contextOf.get(owner.id) })))
      .catch((err: unknown) => this.logger.warn({ err, deliveries: recorded.length }, 'webhooks left to recovery'));
  }

  /**
   * Returns the accounts among these that receive messages: accounts with their own URL or an open
   * event stream. An endpoint that is turned off still receives; its deliveries pause.
   */
  async receiving(tx: EntityManager, accountIds: readonly string[]): Promise<Set<string>> {
    return this.endpoints.receiving(tx, accountIds);
  }

  /** As {@link receiving}, for one account outside a transaction. */
  isReceiving(accountId: string): Promise<boolean> {
    return this.endpoints.isReceiving(accountId);
  }

  /**
   * Returns a test whether an account may be subscribed to its messages' states or listens to them,
   * or undefined when no account is. The subscribers are cached for two seconds, so a new
   * subscription takes effect within two seconds; with more than the bound, every account may be
   * subscribed and `recordAll` decides. Inside a transaction pass `tx`: transactions that each wait
   * for a second connection would deadlock on an exhausted pool.
   */
  async messageSubscribers(tx?: EntityManager): Promise<((accountId: string) => boolean) | undefined> {
    const nowMs = performance.now();
    let read = this.subscribers.get();
    if (!read || nowMs - read.atMs > SUBSCRIBERS_FRESH_MS) {
      const accounts = this.endpoints.subscribedToMessages(SUBSCRIBERS_MAX, tx).catch((err: unknown) => {
        this.logger.warn({ err }, 'webhook subscribers not read');
        return undefined;
      });
      read = { atMs: nowMs, accounts };
      this.subscribers.set(read);
    }
    const accounts = await read.accounts;
    if (accounts === undefined) return () => true;
    return accounts.size === 0 ? undefined : (accountId) => accounts.has(accountId);
  }
}

/**
 * Serializes an event. A received message has the fixed format of the product; every other type has
 * the envelope that Standard Webhooks recommends (https://www.standardwebhooks.com, "Event type",
 * "Timestamp" and "Event data").
 */
export function webhookBody(type: WebhookEventType, payload: object, at: Date): string {
  return JSON.stringify(type === 'message.received' ? payload : { type, timestamp: at.toISOString(), data: payload });
}
