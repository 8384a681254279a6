import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { WebhookEventType } from '#contract/webhooks.js';
import { Logger } from '../platform/telemetry/logger.js';
import { WebhookQueue } from '../platform/queue/queues.js';
import { newMessageId } from '../rules/ids.js';
import type { RequestContext } from '../platform/telemetry/request-context.js';
import { DeliveriesRepository } from './deliveries/deliveries.repository.js';
import { webhookBody } from './webhook-body.js';

export interface WebhookEvent {
  readonly accountId: string;
  readonly type: WebhookEventType;
  /** What the event is about: of one type and source there is one event. */
  readonly sourceId: string;
  readonly payload: object;
}

/** Things that customers' webhooks are told: written down with what they are about, put in line after the commit. */
@Injectable()
export class WebhookEvents {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly queue: WebhookQueue,
    private readonly logger: Logger,
  ) {}

  /**
   * Writes the event within the caller's transaction, and answers its id for `wake`. Undefined when the account has no
   * receiver for it (none set, or not subscribed), or when it was written before.
   */
  async record(tx: EntityManager, event: WebhookEvent): Promise<string | undefined> {
    const [id] = await this.recordAll(tx, [event]);
    return id;
  }

  /** The same for several events, in one statement; answers one id, or undefined, for each. */
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
   * After the commit: puts them in line, with what each came of where that is known. Never fails; recovery finds what the queue
   * lost, within 15 seconds or so.
   */
  wake(ids: readonly (string | undefined)[], origins: readonly (RequestContext | undefined)[] = []): void {
    const requestContextOf = new Map(ids.map((id, index) => [id, origins[index]]));
    const known = ids.filter((id) => id !== undefined);
    if (known.length === 0) return;
    this.deliveries
      .owners(known)
      .then((owners) =>
        owners.forEach((owner) => this.queue.enqueue({ ...owner, origin: requestContextOf.get(owner.id) })),
      )
      .catch((err: unknown) => this.logger.warn({ err, deliveries: known.length }, 'webhooks left to recovery'));
  }
}
