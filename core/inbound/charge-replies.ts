import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { ReceivedStatus } from '#contract/histories.js';
import { limits } from '#contract/limits.js';
import { Credits } from '../credits/credits.js';
import { newMessageId } from '../rules/ids.js';
import { InboundRepository, type InboundOutcome, type NewReply } from './inbound.repository.js';
import type { IncomingReply } from './opt-outs.js';
import { limitedOutcome, type OwnNumberText, StrangerDays } from './stranger-days.js';

/** A reply that an account receives. */
export interface RoutedReply {
  readonly reply: IncomingReply;
  readonly accountId: string;
  /** True if the account has bought the number. */
  readonly hasNumber: boolean;
}

/** Charges the replies that accounts receive, or holds or limits them. */
@Injectable()
export class ChargeReplies {
  constructor(
    private readonly inbound: InboundRepository,
    private readonly credits: Credits,
    private readonly strangerDays: StrangerDays,
  ) {}

  /**
   * Stores replies in order of arrival: limited when their sender has written too many within the
   * hour, or is a stranger beyond the number's daily maximum of strangers' texts, or the number is
   * being released; otherwise charged while the balance lasts, then held while there is room. The
   * balances' locks make the counts exact.
   */
  async charge(
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
