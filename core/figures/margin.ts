import { Injectable } from '@nestjs/common';
import { Accounts } from '../accounts/accounts.js';
import { Payments } from '../billing/payments.js';
import { Credits } from '../credits/credits.js';
import { CarrierDays, type CarrierSum, type SlowHandOvers } from './carrier-days.js';
import { Routes } from '../routes/routes.js';
import { carrierNameOf, Config } from '../platform/config/config.js';
import { dollarsOf } from '../rules/microusd.js';
import { newYorkDay } from '../rules/time.js';

export const marginSubjects = ['account', 'country', 'route'] as const;
export type MarginSubject = (typeof marginSubjects)[number];

const UNKNOWN = 'unknown';
const MICROUSD_OF_CENT = 10_000n;

/** Sums in US dollars with six decimals, exact. */
interface MarginFigures {
  /** Messages handed to a carrier. */
  readonly messages: number;
  /** Credits charged and not refunded. */
  readonly credits: number;
  /** Price for which these credits were sold. */
  readonly revenueUsd: string;
  /** Cost, or `unknown` while the price of some segments is unknown: these never count as free. */
  readonly costUsd: string;
  /** The part of the cost that carriers reported, and the part by the prices of the routes. */
  readonly realCostUsd: string;
  readonly estimatedCostUsd: string;
  /** Segments without a known price. */
  readonly unknownSegments: number;
  readonly marginUsd: string;
  /** Margin as a share of the revenue; null without revenue, or while the cost is unknown. */
  readonly marginPercent: number | null;
  /** Share of all revenue; null without any revenue. */
  readonly revenueSharePercent: number | null;
}

export interface MarginRow extends MarginFigures {
  readonly accountId?: string;
  /** The account's address; null when it was deleted. */
  readonly email?: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  /** Name of the carrier. */
  readonly carrier?: string;
}

/** Second hand-overs because no receipt came in time (`delivery: fast`), which customers do not pay. */
interface SlowFigures {
  readonly messages: number;
  /** Share of all messages that were handed over; null without messages. */
  readonly percent: number | null;
  /**
   * Cost of these hand-overs, which the other costs include; `unknown` while a route has no price.
   */
  readonly costUsd: string;
}

export interface MarginAnswer {
  /** New York days, inclusive. */
  readonly since: string;
  readonly until: string;
  readonly total: MarginFigures;
  readonly secondHandOvers: SlowFigures;
  /** Rows, the largest revenue first. */
  readonly rows: readonly MarginRow[];
  /** Number of rows beyond `rowsMax`; the total includes them. */
  readonly rowsLeftOut: number;
}

interface Sums {
  readonly messages: bigint;
  readonly credits: bigint;
  readonly revenue: bigint;
  readonly realCost: bigint;
  readonly estimatedCost: bigint;
  readonly unknownSegments: bigint;
}

interface Group {
  readonly names: Pick<MarginRow, 'accountId' | 'country' | 'carrier'>;
  sums: Sums;
}

/** The price of a segment to a country by a carrier, in millionths of a dollar; null if it is not known. */
type PriceOf = (route: Pick<CarrierSum, 'country' | 'carrier'>) => number | null;

const nothing: Sums = {
  messages: 0n,
  credits: 0n,
  revenue: 0n,
  realCost: 0n,
  estimatedCost: 0n,
  unknownSegments: 0n,
};

/**
 * Revenue and cost of messages. The revenue of a credit is the average price that its account paid:
 * payments less refunds, divided by all its credits, also free credits. Replies are left out, since
 * carriers charge them otherwise.
 */
@Injectable()
export class Margin {
  constructor(
    private readonly carrierDays: CarrierDays,
    private readonly routes: Routes,
    private readonly payments: Payments,
    private readonly credits: Credits,
    private readonly accounts: Accounts,
    private readonly config: Config,
  ) {}

  /** Returns at most `rowsMax` rows since a New York day. */
  async by(subject: MarginSubject, since: string, rowsMax: number, now = new Date()): Promise<MarginAnswer> {
    const sums = await this.carrierDays.since(since, now);
    const [revenueOf, priceOf, slow] = await Promise.all([
      this.revenues([...new Set(sums.map(({ accountId }) => accountId))]),
      this.prices(),
      this.carrierDays.slowHandOvers(since, now),
    ]);
    const groups = new Map<string, Group>();
    let total = nothing;
    for (const sum of sums) {
      const priced = pricedOf(sum, revenueOf(sum), priceOf(sum));
      total = plus(total, priced);
      const names = this.namesOf(subject, sum);
      const key = Object.values(names).join(' ');
      const group = groups.get(key) ?? { names, sums: nothing };
      group.sums = plus(group.sums, priced);
      groups.set(key, group);
    }
    const sorted = [...groups.values()].sort((a, b) => descending(a.sums.revenue, b.sums.revenue));
    const shown = sorted.slice(0, rowsMax);
    const emailOf = await this.emails(shown.flatMap(({ names: { accountId } }) => accountId ?? []));
    return {
      since,
      until: newYorkDay(now),
      total: figuresOf(total, total.revenue),
      secondHandOvers: slowFiguresOf(slow, priceOf, total.messages),
      rows: shown.map(({ names, sums: ofGroup }) => ({
        ...names,
        ...(names.accountId !== undefined && { email: emailOf.get(names.accountId) ?? null }),
        ...figuresOf(ofGroup, total.revenue),
      })),
      rowsLeftOut: sorted.length - shown.length,
    };
  }

  private namesOf(subject: MarginSubject, { accountId, country, carrier }: CarrierSum): Group['names'] {
    switch (subject) {
      case 'account':
        return { accountId };
      case 'country':
        return { country };
      case 'route':
        return { country, carrier: carrierNameOf(this.config, carrier) };
    }
  }

  /** Returns the revenue of a sum's credits, in millionths of a dollar. */
  private async revenues(accountIds: readonly string[]): Promise<(sum: CarrierSum) => bigint> {
    const [paid, balances] = await Promise.all([
      this.payments.paidCents(accountIds),
      this.credits.balancesOf(accountIds),
    ]);
    return ({ accountId, credits }) => {
      const got = BigInt(balances.get(accountId)?.purchased ?? 0);
      return got > 0n ? (credits * (paid.get(accountId) ?? 0n) * MICROUSD_OF_CENT) / got : 0n;
    };
  }

  /** The present price of a segment, in millionths of a dollar. */
  private async prices(): Promise<PriceOf> {
    const prices = new Map(
      (await this.routes.list()).flatMap(({ country, routes }) =>
        routes.map(({ carrier, costMicrousd }) => [`${country} ${carrier}`, costMicrousd] as const),
      ),
    );
    const channels = new Map(this.config.channels.map(({ number, costMicrousd }) => [number, costMicrousd]));
    return ({ country, carrier }) => {
      const cost = channels.get(carrier);
      if (cost !== undefined) return cost === null ? null : Number(cost);
      return prices.get(`${country} ${carrierNameOf(this.config, carrier)}`) ?? null;
    };
  }

  private async emails(accountIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return accountIds.length === 0 ? new Map() : this.accounts.emailsOf(accountIds);
  }
}

function slowFiguresOf(slow: readonly SlowHandOvers[], priceOf: PriceOf, messages: bigint): SlowFigures {
  const handOvers = slow.reduce((sum, one) => sum + one.handOvers, 0n);
  const isKnown = slow.every((one) => one.unpricedSegments === 0n || priceOf(one) !== null);
  const cost = slow.reduce((sum, one) => sum + one.realMicrousd + one.unpricedSegments * BigInt(priceOf(one) ?? 0), 0n);
  return {
    messages: Number(handOvers),
    percent: percentOf(handOvers, messages),
    costUsd: isKnown ? dollarsOf(cost) : UNKNOWN,
  };
}

function pricedOf(sum: CarrierSum, revenue: bigint, price: number | null): Sums {
  const { messages, credits, realMicrousd: realCost, estimatedMicrousd, unpricedSegments } = sum;
  return {
    messages,
    credits,
    revenue,
    realCost,
    estimatedCost: estimatedMicrousd + (price === null ? 0n : unpricedSegments * BigInt(price)),
    unknownSegments: price === null ? unpricedSegments : 0n,
  };
}

function plus(one: Sums, other: Sums): Sums {
  return {
    messages: one.messages + other.messages,
    credits: one.credits + other.credits,
    revenue: one.revenue + other.revenue,
    realCost: one.realCost + other.realCost,
    estimatedCost: one.estimatedCost + other.estimatedCost,
    unknownSegments: one.unknownSegments + other.unknownSegments,
  };
}

function figuresOf(sums: Sums, revenueOfAll: bigint): MarginFigures {
  const { messages, credits, revenue, realCost, estimatedCost, unknownSegments } = sums;
  const isKnown = unknownSegments === 0n;
  const margin = revenue - realCost - estimatedCost;
  return {
    messages: Number(messages),
    credits: Number(credits),
    revenueUsd: dollarsOf(revenue),
    costUsd: isKnown ? dollarsOf(realCost + estimatedCost) : UNKNOWN,
    realCostUsd: dollarsOf(realCost),
    estimatedCostUsd: dollarsOf(estimatedCost),
    unknownSegments: Number(unknownSegments),
    marginUsd: isKnown ? dollarsOf(margin) : UNKNOWN,
    marginPercent: isKnown ? percentOf(margin, revenue) : null,
    revenueSharePercent: percentOf(revenue, revenueOfAll),
  };
}

/** Returns a percentage with two decimals; null if the whole is 0. */
function percentOf(part: bigint, whole: bigint): number | null {
  return whole === 0n ? null : Number((part * 10_000n) / whole) / 100;
}

function descending(a: bigint, b: bigint): number {
  return a === b ? 0 : a < b ? 1 : -1;
}
