import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ConversationOwner, type Owner } from '../messages/senders/conversation-owner.js';
import { MessageCallbacks } from '../webhooks/callbacks/message-callbacks.js';
import { WebhookEvents } from '../webhooks/webhook-events.js';
import { ChargeReplies, type RoutedReply } from './charge-replies.js';
import { ForwardReplies } from './forward-replies.js';
import { InboundRepository, type InboundOutcome, type NewReply } from './inbound.repository.js';
import { OptOuts, sendersOf, type IncomingReply } from './opt-outs.js';

export interface StoredBatch {
  /** Outcomes by carrier id, without repeated replies. */
  readonly outcomes: ReadonlyMap<string, InboundOutcome>;
  /** Replies that were charged, held or limited. */
  readonly stored: readonly NewReply[];
  /** Deliveries to announce after the commit, of the stored replies that were charged. */
  readonly events: readonly (string | undefined)[];
}

/** Stores a batch of replies in one transaction: each once, for at most one account. */
@Injectable()
export class StoreReplies {
  constructor(
    private readonly inbound: InboundRepository,
    private readonly optOuts: OptOuts,
    private readonly conversationOwner: ConversationOwner,
    private readonly webhookEvents: WebhookEvents,
    private readonly callbacks: MessageCallbacks,
    private readonly chargeReplies: ChargeReplies,
    private readonly forwardReplies: ForwardReplies,
  ) {}

  async store(tx: EntityManager, batch: readonly IncomingReply[]): Promise<StoredBatch> {
    const fresh = await this.inbound.takeReceipts(tx, [...new Set(batch.map(({ carrierId }) => carrierId))]);
    // The first of several replies with the same carrier id counts.
    const replies = batch.filter(({ carrierId }) => fresh.delete(carrierId));
    const answered = replies.map((reply) => ({ person: reply.sender, senders: sendersOf(reply) }));
    const owners = await this.conversationOwner.of(tx, answered);
    await this.optOuts.record(
      tx,
      replies,
      owners.map((owner) => owner?.accountId ?? undefined),
    );
    const outcomes = new Map<string, InboundOutcome>();
    const routed = await this.route(tx, replies, owners, outcomes);
    const stored = await this.chargeReplies.charge(tx, routed, outcomes);
    await this.answerFromOwnNumbers(tx, routed);
    const events = await this.forwardReplies.forward(
      tx,
      stored.filter(({ status }) => status === 'received'),
    );
    await this.inbound.settleReceipts(tx, new Map([...outcomes].filter(([, outcome]) => outcome !== 'received')));
    return { outcomes, stored, events };
  }

  /**
   * Returns the replies that an account receives; records the outcome of the others. Replies to a
   * number that an account has bought are received, also without a webhook URL.
   */
  private async route(
    tx: EntityManager,
    replies: readonly IncomingReply[],
    owners: readonly (Owner | undefined)[],
    outcomes: Map<string, InboundOutcome>,
  ): Promise<RoutedReply[]> {
    const owned = replies.flatMap((reply, index) => {
      const { accountId = null, hasNumber = false, rests = false } = owners[index] ?? {};
      if (accountId !== null) return [{ reply, accountId, hasNumber }];
      outcomes.set(reply.carrierId, rests ? 'resting' : 'unrouted');
      return [];
    });
    const accountIds = [...new Set(owned.map(({ accountId }) => accountId))];
    const receiving = await this.webhookEvents.receiving(tx, accountIds);
    const awaited = await this.awaitedOf(
      tx,
      owned.filter(({ accountId, hasNumber }) => !hasNumber && !receiving.has(accountId)),
    );
    return owned.filter(({ reply, accountId, hasNumber }) => {
      const isReceived = hasNumber || receiving.has(accountId) || awaited.has(reply);
      if (!isReceived) outcomes.set(reply.carrierId, 'off');
      return isReceived;
    });
  }

  /** A person who writes to a bought number gets the account's answers from that number. */
  private async answerFromOwnNumbers(tx: EntityManager, routed: readonly RoutedReply[]): Promise<void> {
    const known = routed.filter(({ hasNumber }) => hasNumber);
    if (known.length === 0) return;
    const conversations = known.map(({ reply, accountId }) => {
      const { sender: recipient, recipient: sender } = reply;
      return { accountId, recipient, sender };
    });
    // The last reply of each pair counts.
    const byPair = new Map(conversations.map((one) => [`${one.accountId} ${one.recipient}`, one]));
    await this.conversationOwner.keep(tx, [...byPair.values()]);
  }

  /** Returns the replies to a message with a URL for its replies. */
  private async awaitedOf(tx: EntityManager, routed: readonly RoutedReply[]): Promise<Set<IncomingReply>> {
    const pairs = routed.map(({ reply, accountId }) => ({ accountId, person: reply.sender }));
    const areAwaited = await this.callbacks.awaitReplies(tx, pairs);
    return new Set(routed.flatMap(({ reply }, index) => (areAwaited[index] ? [reply] : [])));
  }
}
