import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { Credits } from '../credits/credits.js';
import { ConversationOwner } from '../messages/conversations/conversation-owner.js';
import { newMessageId } from '../rules/ids.js';
import { Receiving } from '../webhooks/receiving.js';
import { Forwarding } from './forwarding.js';
import { sendersOf, type IncomingMessage } from './incoming-message.js';
import { InboundMessagesRepository, type NewInboundMessage } from './inbound-messages.repository.js';
import { InboundReceiptsRepository, type InboundOutcome } from './inbound-receipts.repository.js';
import { OptOuts } from './opt-outs.js';

export interface TakenIn {
  /** By the carrier's id; repeats are absent. */
  readonly outcomes: ReadonlyMap<string, InboundOutcome>;
  /** What was stored, charged or held. */
  readonly kept: readonly NewInboundMessage[];
  /** Webhook events to be woken after the commit. */
  readonly events: readonly (string | undefined)[];
}

interface Routed {
  readonly message: IncomingMessage;
  readonly accountId: string;
}

/** What happens to a batch of incoming messages within one transaction: each is taken once, and has one owner or none. */
@Injectable()
export class Intake {
  constructor(
    private readonly receipts: InboundReceiptsRepository,
    private readonly optOuts: OptOuts,
    private readonly conversationOwner: ConversationOwner,
    private readonly receiving: Receiving,
    private readonly credits: Credits,
    private readonly messages: InboundMessagesRepository,
    private readonly forwarding: Forwarding,
  ) {}

  async takeIn(tx: EntityManager, batch: readonly IncomingMessage[]): Promise<TakenIn> {
    const fresh = await this.receipts.take(tx, [...new Set(batch.map(({ carrierId }) => carrierId))]);
    // The first of several with one id is the message, the others repeat it.
    const messages = batch.filter(({ carrierId }) => fresh.delete(carrierId));
    await this.optOuts.hear(tx, messages);
    const outcomes = new Map<string, InboundOutcome>();
    const routed = await this.route(tx, messages, outcomes);
    const kept = await this.keep(tx, routed, outcomes);
    const events = await this.forwarding.forward(
      tx,
      kept.filter(({ held }) => !held),
    );
    await this.receipts.settle(tx, new Map([...outcomes].filter(([, outcome]) => outcome !== 'received')));
    return { outcomes, kept, events };
  }

  /** The messages that somebody receives; of the others it is written down why nobody does. */
  private async route(
    tx: EntityManager,
    messages: readonly IncomingMessage[],
    outcomes: Map<string, InboundOutcome>,
  ): Promise<Routed[]> {
    const answered = messages.map((message) => ({ person: message.sender, senders: sendersOf(message) }));
    const owners = await this.conversationOwner.of(tx, answered);
    const on = await this.receiving.among(tx, [...new Set(owners.filter((owner) => owner !== undefined))]);
    return messages.flatMap((message, n) => {
      const accountId = owners[n];
      if (accountId !== undefined && on.has(accountId)) return { message, accountId };
      outcomes.set(message.carrierId, accountId === undefined ? 'unrouted' : 'off');
      return [];
    });
  }

  /** Stores in order of arrival: charged while the balance lasts, then held while there is room. */
  private async keep(
    tx: EntityManager,
    routed: readonly Routed[],
    outcomes: Map<string, InboundOutcome>,
  ): Promise<NewInboundMessage[]> {
    if (routed.length === 0) return [];
    const wanted = countsOf(routed);
    const balances = await this.credits.lock(tx, [...wanted.keys()]);
    const short = [...wanted].filter(([id, count]) => (balances.get(id) ?? 0) < count).map(([id]) => id);
    const held =
      short.length > 0 ? await this.messages.heldCounts(tx, short, limits.heldMessagesMax) : new Map<string, number>();
    const stored = routed.filter(({ message, accountId }) => {
      const outcome = nextOutcome(accountId, balances, held);
      outcomes.set(message.carrierId, outcome);
      return outcome !== 'full';
    });
    if (stored.length === 0) return [];
    const numbers = await this.credits.numberReceived(tx, countsOf(stored));
    const taken = new Map<string, number>();
    const rows = stored.map(({ message, accountId }) => {
      const { first, at } = numbers.get(accountId) ?? missing();
      const before = taken.get(accountId) ?? 0;
      taken.set(accountId, before + 1);
      const { carrierId, sender, recipient, text: body, segments } = message;
      const isHeld = outcomes.get(carrierId) === 'held';
      const id = newMessageId();
      return {
        id,
        accountId,
        number: first + before,
        carrierId,
        sender,
        recipient,
        body,
        segments,
        held: isHeld,
        createdAt: at,
      };
    });
    await this.messages.insert(tx, rows);
    return rows;
  }
}

/** Counts one more message against what the account has left: credits, then room for held ones. */
function nextOutcome(accountId: string, balances: Map<string, number>, held: Map<string, number>): InboundOutcome {
  const balance = balances.get(accountId) ?? 0;
  if (balance > 0) {
    balances.set(accountId, balance - 1);
    return 'received';
  }
  const waiting = held.get(accountId) ?? 0;
  if (waiting >= limits.heldMessagesMax) return 'full';
  held.set(accountId, waiting + 1);
  return 'held';
}

function countsOf(routed: readonly Routed[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { accountId } of routed) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
  return counts;
}

function missing(): never {
  throw new Error('An account that is locked has its numbers');
}
