import { Injectable } from '@nestjs/common';
import type { AttemptReason } from '#contract/message-record.js';
import { Postgres } from '../../platform/database/postgres.js';
import { AccountEvents } from '../../platform/events/account-events.js';
import { contextFields, type RequestContext } from '../../platform/telemetry/request-context.js';
import { Telemetry } from '../../platform/telemetry/telemetry.js';
import { deliveryOf, rerouteSource } from '../../rules/delivery.js';
import { publicMessageId } from '../../rules/ids.js';
import { WebhookEvents } from '../../webhooks/webhook-events.js';
import { MessageQueues } from '../store/message-queues.js';
import { type HandedOver, MessageAttempts, type RouteChange } from './message-attempts.js';

/** Gives messages their next route: ends the hand-over, reports the change and enqueues the message. */
@Injectable()
export class ChangeRoute {
  constructor(
    private readonly postgres: Postgres,
    private readonly attempts: MessageAttempts,
    private readonly queues: MessageQueues,
    private readonly webhookEvents: WebhookEvents,
    private readonly accountEvents: AccountEvents,
    private readonly telemetry: Telemetry,
  ) {}

  /** Returns false when the message has moved on since it was read, or `percentMax` is used up. */
  async change(message: HandedOver, next: RouteChange, context: RequestContext | undefined): Promise<boolean> {
    const { id, accountId, kind } = message;
    const { reason } = next;
    const eventIds = await this.postgres.transaction(async (tx) => {
      if (!(await this.attempts.reroute(tx, message, next))) return undefined;
      const mayWant = await this.webhookEvents.messageSubscribers(tx);
      if (!mayWant?.(accountId)) return [];
      return this.webhookEvents.recordAll(tx, [reroutedEvent(message, reason)]);
    });
    if (!eventIds) return false;
    this.webhookEvents.enqueue(eventIds, [context]);
    this.accountEvents.changed(accountId, id);
    this.telemetry.metrics.reroutes.inc({ reason });
    const about = { ...contextFields(context), messageId: id, reason, from: message.carrier, to: next.carrier };
    this.telemetry.logger.info(about, 'message handed to another route');
    await this.queues.enqueued({ id, accountId, kind, context }, next.sender);
    return true;
  }
}

/**
 * Builds the event: the fields of events about a message's state, and the reason for the new
 * hand-over.
 */
function reroutedEvent(message: HandedOver, reason: AttemptReason) {
  const { id, accountId, kind, recipient, segments, credits, reference, hedgeSeconds, handOvers } = message;
  return {
    accountId,
    type: 'message.rerouted' as const,
    sourceId: rerouteSource(id, handOvers),
    payload: {
      message_id: publicMessageId(id),
      to: recipient,
      status: 'queued',
      segments,
      credits,
      refunded: 0,
      reference,
      error_code: null,
      carrier_error: null,
      delivery: deliveryOf(kind, hedgeSeconds),
      attempt: handOvers + 1,
      reason,
    },
  };
}
