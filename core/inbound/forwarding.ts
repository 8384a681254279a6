import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ReceivedMessagePayload } from '#contract/webhooks.js';
import { Credits } from '../credits/credits.js';
import { publicMessageId } from '../rules/ids.js';
import { newYorkTimestamp } from '../rules/new-york-time.js';
import type { RequestContext } from '../platform/telemetry/request-context.js';
import { WebhookEvents } from '../webhooks/webhook-events.js';

const RECEIVED_CREDITS = 1;

/** A message that its account pays for and is told of. */
export interface ForwardedMessage {
  readonly id: string;
  readonly accountId: string;
  readonly sender: string;
  readonly body: string;
  readonly createdAt: Date;
}

/** What a received message costs and brings: one credit, and one event for the account's webhook. */
@Injectable()
export class Forwarding {
  constructor(
    private readonly credits: Credits,
    private readonly webhookEvents: WebhookEvents,
  ) {}

  /** Within the transaction that stores or releases them, over locked balances. Answers the events, to be woken after it. */
  async forward(tx: EntityManager, messages: readonly ForwardedMessage[]): Promise<(string | undefined)[]> {
    if (messages.length === 0) return [];
    await this.credits.post(
      tx,
      messages.map(({ id, accountId }) => ({ accountId, amount: -RECEIVED_CREDITS, kind: 'inbound', sourceId: id })),
    );
    return this.webhookEvents.recordAll(
      tx,
      messages.map((message) => ({
        accountId: message.accountId,
        type: 'message.received',
        sourceId: message.id,
        payload: payloadOf(message),
      })),
    );
  }

  /** After the commit. */
  wake(events: readonly (string | undefined)[], origins: readonly (RequestContext | undefined)[] = []): void {
    this.webhookEvents.wake(events, origins);
  }
}

/** As the specification has it; its timestamps are New York time, as people in the USA write it (section 9). */
function payloadOf({ id, sender, body, createdAt }: ForwardedMessage): ReceivedMessagePayload {
  return {
    MessageId: publicMessageId(id),
    Sender: sender,
    Message: body,
    Status: 'Received',
    DateTime: newYorkTimestamp(createdAt),
  };
}
