import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import type { ReceivedMessagePayload } from '#contract/webhooks.js';
import { Credits } from '../credits/credits.js';
import { AccountEvents } from '../platform/events/account-events.js';
import type { RequestContext } from '../platform/telemetry/request-context.js';
import { publicMessageId } from '../rules/ids.js';
import { newYorkTimestamp } from '../rules/time.js';
import { MessageCallbacks } from '../webhooks/callbacks/message-callbacks.js';
import { WebhookEvents } from '../webhooks/webhook-events.js';

export interface ReplyToForward {
  readonly id: string;
  readonly accountId: string;
  readonly sender: string;
  readonly body: string;
  readonly createdAt: Date;
}

/** Charges a reply to its account and records the webhook event that forwards it. */
@Injectable()
export class ForwardReplies {
  constructor(
    private readonly credits: Credits,
    private readonly webhookEvents: WebhookEvents,
    private readonly callbacks: MessageCallbacks,
    private readonly accountEvents: AccountEvents,
  ) {}

  /**
   * Charges one credit and records one webhook event per reply, and the call to the URL that the
   * message it answers names, in the transaction that stores or releases them and holds the
   * balances' locks. Returns the deliveries for `announce`: one or undefined for each reply's
   * event, then the same for its callback.
   */
  async forward(tx: EntityManager, replies: readonly ReplyToForward[]): Promise<(string | undefined)[]> {
    if (replies.length === 0) return [];
    await this.credits.post(
      tx,
      replies.map(({ id, accountId }) => ({ accountId, amount: -limits.replyCredits, kind: 'inbound', sourceId: id })),
    );
    const events = await this.webhookEvents.recordAll(
      tx,
      replies.map((reply) => ({
        accountId: reply.accountId,
        type: 'message.received',
        sourceId: reply.id,
        payload: payloadOf(reply),
      })),
    );
    return [...events, ...(await this.callbacks.recordReplies(tx, replies))];
  }

  /**
   * After the commit: enqueues the webhook events, and publishes the stored replies to open pages.
   */
  announce(
    events: readonly (string | undefined)[],
    replies: readonly Pick<ReplyToForward, 'id' | 'accountId'>[],
    contexts: readonly (RequestContext | undefined)[] = [],
  ): void {
    this.webhookEvents.enqueue(events, contexts);
    for (const { accountId, id } of replies) this.accountEvents.received(accountId, id);
  }
}

/**
 * The format that the specification fixes; its timestamps are New York time in US notation (section
 * 9).
 */
function payloadOf({ id, sender, body, createdAt }: ReplyToForward): ReceivedMessagePayload {
  return {
    MessageId: publicMessageId(id),
    Sender: sender,
    Message: body,
    Status: 'Received',
    DateTime: newYorkTimestamp(createdAt),
  };
}
