import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { Credits } from '../credits/credits.js';
import { AccountEvents } from '../platform/events/account-events.js';
import type { RequestContext } from '../platform/telemetry/request-context.js';
import { WebhookEvents } from '../webhooks/webhook-events.js';
import { AwaitedMedia } from './awaited-media.js';
import { ReplyEvents } from './reply-events.js';

export interface ReplyToForward {
  readonly id: string;
  readonly accountId: string;
  readonly sender: string;
  readonly recipient: string;
  readonly body: string;
  readonly mediaCount: number;
  readonly createdAt: Date;
}

/** Charges a reply to its account and records the webhook event that forwards it. */
@Injectable()
export class ForwardReplies {
  constructor(
    private readonly credits: Credits,
    private readonly webhookEvents: WebhookEvents,
    private readonly replyEvents: ReplyEvents,
    private readonly awaitedMedia: AwaitedMedia,
    private readonly accountEvents: AccountEvents,
  ) {}

  /**
   * Charges one credit and records one webhook event per reply, and the call to the URL that the
   * answered message names, in the transaction that stores or releases them and holds the balances'
   * locks. A reply with files is forwarded with them, later. Returns the deliveries for `announce`:
   * one or undefined for each reply's event, then the same for its callback.
   */
  async forward(tx: EntityManager, replies: readonly ReplyToForward[]): Promise<(string | undefined)[]> {
    if (replies.length === 0) return [];
    await this.credits.post(
      tx,
      replies.map(({ id, accountId }) => ({ accountId, amount: -limits.replyCredits, kind: 'inbound', sourceId: id })),
    );
    const awaiting = replies.filter(({ mediaCount }) => mediaCount > 0);
    if (awaiting.length > 0) await this.awaitedMedia.expect(tx, awaiting);
    const complete = replies.filter(({ mediaCount }) => mediaCount === 0);
    if (complete.length === 0) return [];
    const recorded = await this.replyEvents.received(
      tx,
      complete.map((reply) => ({ ...reply, media: [] })),
    );
    const placeOf = new Map(complete.map(({ id }, place) => [id, place]));
    return [recorded.events, recorded.callbacks].flatMap((ids) => replies.map(({ id }) => ids[placeOf.get(id) ?? -1]));
  }

  /**
   * Enqueues the webhook events and publishes the stored replies to open pages, after the commit.
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
