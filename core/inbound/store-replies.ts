import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ReceivedStatus } from '#contract/histories.js';
import { limits } from '#contract/limits.js';
import { Credits } from '../credits/credits.js';
import { ConversationOwner, type Owner } from '../messages/senders/conversation-owner.js';
import { newMessageId } from '../rules/ids.js';
import { MessageCallbacks } from '../webhooks/callbacks/message-callbacks.js';
import { WebhookEvents } from '../webhooks/webhook-events.js';
import { ForwardReplies } from './forward-replies.js';
import { InboundRepository, type InboundOutcome, type NewReply } from './inbound.repository.js';
import { limitedOutcome, type OwnNumberText, StrangerDays } from './stranger-days.js';
import { OptOuts, sendersOf, type IncomingReply } from './opt-outs.js';

export interface StoredBatch {
  /** Outcomes by carrier id, without repeated replies. */
  readonly outcomes: ReadonlyMap<string, InboundOutcome>;
  /** Replies that were charged, held or limited. */
  readonly stored: readonly NewReply[];
  /** Deliveries to announce after the commit, of the stored replies that were charged. */
  readonly events: readonly (string | undefined)[];
}

interface RoutedReply {
  readonly reply: IncomingReply;
  readonly accountId: string;
  /** True if the account has bought the number. */
  readonly hasNumber: boolean;
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
    private readonly credits: Credits,
    private readonly forwardReplies: ForwardReplies,
    private readonly strangerDays: StrangerDays,
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
    const stored = await this.chargeOrHold(tx, routed, outcomes);
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

  /**
   * Stores replies in order of arrival: limited when their sender has written too many within the
   * hour, or is a stranger beyond the number's daily maximum of strangers' texts, or the number is
   * being released; otherwise charged while the balance lasts, then held while there is room. The
   * balances' locks make the counts exact.
   */
  private async chargeOrHold(
    tx: EntityManager,
    routed: readonly RoutedReply[],
    outcomes: Map<string, InboundOutcome>,
  ): Promise<NewReply[]> {
    if (routed.length === 0) return [];
    const counts = countsOf(routed);
    const balances = await this.credits.lock(tx, [...counts.keys()]);
    const short = [...counts].filter(([id, count]) => (balances.get(id) ?? 0) < count).map(([id]) => id);
    const held =
      short.length > 0 ? await this.inbound.countHeld(tx, short, limits.heldMessagesMax) : new Map<string, number>();
    const charged = await this.countCharged(tx, routed);
    const toNumbers = routed.filter(({ hasNumber }) => hasNumber).map(({ reply }) => reply);
    const strangers = await this.strangerDays.of(tx, toNumbers);
    const accepted = routed.flatMap(({ reply, accountId }) => {
      const pair = pairOf(accountId, reply);
      const outcome = nextOutcome({ accountId, pair, text: strangers.get(reply) }, { balances, held, charged });
      outcomes.set(reply.carrierId, outcome);
      return outcome === 'full' ? [] : [{ reply, accountId, status: outcome }];
    });
    await this.strangerDays.count(tx, strangers);
    if (accepted.length === 0) return [];
    const numbers = await this.credits.numberReceived(tx, countsOf(accepted));
    const next = new Map([...numbers].map(([accountId, { first }]) => [accountId, first]));
    const stored = accepted.map(({ reply, accountId, status }): NewReply => {
      const number = next.get(accountId);
      const createdAt = numbers.get(accountId)?.at;
      if (number === undefined || !createdAt) throw new Error('A locked credit account has no numbers for its replies');
      next.set(accountId, number + 1);
      const { carrierId, sender, recipient, text: body, segments } = reply;
      return {
        id: newMessageId(),
        accountId,
        number,
        carrierId,
        sender,
        recipient,
        body,
        segments,
        status,
        media: reply.media,
        mediaCount: reply.media?.files.length ?? 0,
        createdAt,
      };
    });
    await this.inbound.insert(tx, stored);
    return stored;
  }

  /** Counts by pair of account and person. */
  private async countCharged(tx: EntityManager, routed: readonly RoutedReply[]): Promise<Map<string, number>> {
    const pairs = new Map(
      routed.map(({ reply, accountId }) => [pairOf(accountId, reply), { accountId, person: reply.sender }]),
    );
    const counts = await this.inbound.countCharged(tx, [...pairs.values()]);
    return new Map([...pairs.keys()].map((pair, index) => [pair, counts[index] ?? 0]));
  }
}

interface Left {
  readonly balances: Map<string, number>;
  readonly held: Map<string, number>;
  /** Replies of the hour that count against the limit, by pair of account and person. */
  readonly charged: Map<string, number>;
}

/**
 * Decides on a reply and counts it: first against the person's replies of the hour, then against
 * the strangers' texts to the number, then against the account's credits, then against its room for
 * held replies.
 */
function nextOutcome(
  { accountId, pair, text }: { accountId: string; pair: string; text: OwnNumberText | undefined },
  { balances, held, charged }: Left,
): ReceivedStatus | 'full' {
  const earlier = charged.get(pair) ?? 0;
  if (earlier >= limits.chargedRepliesPerHourMax || text?.isReleasing) return 'limited';
  if (text?.isStranger && text.day.charged >= text.perDay) return limitedOutcome(text);
  const outcome = chargedOrHeld({ accountId, pair, earlier }, { balances, held, charged });
  if (outcome !== 'full' && text?.isStranger) text.day.charged += 1;
  return outcome;
}

function chargedOrHeld(
  { accountId, pair, earlier }: { accountId: string; pair: string; earlier: number },
  { balances, held, charged }: Left,
): 'received' | 'held' | 'full' {
  const balance = balances.get(accountId) ?? 0;
  if (balance > 0) {
    balances.set(accountId, balance - 1);
    charged.set(pair, earlier + 1);
    return 'received';
  }
  const holding = held.get(accountId) ?? 0;
  if (holding >= limits.heldMessagesMax) return 'full';
  held.set(accountId, holding + 1);
  charged.set(pair, earlier + 1);
  return 'held';
}

function pairOf(accountId: string, { sender }: IncomingReply): string {
  return `${accountId} ${sender}`;
}

function countsOf(routed: readonly Pick<RoutedReply, 'accountId'>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { accountId } of routed) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  return counts;
}
