import type { OpenRoute } from './routes.js';

/** Minimum of messages for judging a route. */
export const JUDGED_MIN = 20;
const BAD_SHARE = 0.3;
const STEP = 10;
const MINUTES = { betweenMoves: 10, untilReturn: 60, betweenDoubts: 24 * 60 };

/** A route of a country and the figures of its messages of the last ten minutes. */
export interface MeasuredRoute extends Omit<OpenRoute, 'deliveredShare'> {
  /** Whether the operator has fixed its weight. */
  readonly isHeld: boolean;
  /** Whether too few codes are entered compared with its receipts. */
  readonly isDoubtful: boolean;
  /** Messages that can be judged. */
  readonly messages: number;
  /** Messages that ended for a reason of the route, or were not delivered in time. */
  readonly bad: number;
  /** Bad messages among the {@link JUDGED_MIN} that were handed over last. */
  readonly newestBad: number;
  /** Both figures for the account with the most bad messages. */
  readonly worstMessages: number;
  readonly worstBad: number;
}

/** Minutes since a country's weights last changed for a cause; null if never or too long ago. */
export interface SinceChanges {
  /** Change by a bad share or by silence. */
  readonly moved: number | null;
  readonly silenced: number | null;
  readonly doubted: number | null;
  /** Change for any reason, the operator's included. */
  readonly any: number | null;
}

export const moveCauses = ['silent', 'bad_share', 'doubtful_receipts', 'recovery'] as const;
export type MoveCause = (typeof moveCauses)[number];

/** A move of points between carriers, by their numbers; null: no route loses the points. */
export interface WeightMove {
  readonly cause: MoveCause;
  readonly from: number | null;
  readonly to: number;
  readonly points: number;
}

/**
 * Decides which weights of a country change now, if any:
 *
 * 1. `silent`: all newest {@link JUDGED_MIN} messages of a route are bad: all its points move.
 * 2. `bad_share`: at least 30 % of its messages are bad: 10 points move, at most every 10 minutes.
 * 3. `doubtful_receipts`: it loses 10 points a day.
 * 4. `recovery`: after an hour without a change, 10 points go back to a route that has less than its
 *    resting weight.
 *
 * A single account, which could send to phones that are off, cannot cause the first two while
 * others have enough good messages on the route. Points go to the best other route, whose bad share
 * must be at most half for the first two. A weight that the operator holds neither gains nor loses,
 * and a route with resting weight 0, a paused carrier or a doubtful route gains nothing.
 */
export function moveOf(routes: readonly MeasuredRoute[], since: SinceChanges): WeightMove | undefined {
  const losing = routes
    .filter(({ isHeld, isPaused, weight }) => !isHeld && !isPaused && weight > 0)
    .toSorted((a, b) => badShareOf(b) - badShareOf(a) || a.carrier - b.carrier);
  if (isOver(since.silenced, MINUTES.betweenMoves))
    for (const route of losing.filter(isSilent)) {
      const to = bestOther(routes, route, badShareOf(route) / 2);
      if (to) return { cause: 'silent', from: route.carrier, to: to.carrier, points: route.weight };
    }
  if (isOver(since.moved, MINUTES.betweenMoves))
    for (const route of losing.filter(isBad)) {
      const to = bestOther(routes, route, badShareOf(route) / 2);
      if (to) return { cause: 'bad_share', from: route.carrier, to: to.carrier, points: Math.min(STEP, route.weight) };
    }
  if (isOver(since.doubted, MINUTES.betweenDoubts))
    for (const route of losing.filter(({ isDoubtful }) => isDoubtful)) {
      const to = bestOther(routes, route, BAD_SHARE);
      if (!to) continue;
      return { cause: 'doubtful_receipts', from: route.carrier, to: to.carrier, points: Math.min(STEP, route.weight) };
    }
  return isOver(since.any, MINUTES.untilReturn) ? recoveryOf(routes) : undefined;
}

function recoveryOf(routes: readonly MeasuredRoute[]): WeightMove | undefined {
  const free = routes.filter(({ isHeld }) => !isHeld);
  const lacks = ({ restingWeight, weight }: MeasuredRoute) => restingWeight - weight;
  const byLack = free.toSorted((a, b) => lacks(b) - lacks(a) || a.carrier - b.carrier);
  const to = byLack.find((route) => lacks(route) > 0 && mayGain(route) && !isBad(route));
  if (!to) return undefined;
  const from = byLack.toReversed().find((route) => lacks(route) < 0);
  const points = Math.min(STEP, lacks(to), from ? -lacks(from) : STEP);
  return { cause: 'recovery', from: from?.carrier ?? null, to: to.carrier, points };
}

/** Returns the best route that may gain and whose bad share is at most this share. */
function bestOther(
  routes: readonly MeasuredRoute[],
  loser: MeasuredRoute,
  badShareMax: number,
): MeasuredRoute | undefined {
  const cost = ({ costMicrousd }: MeasuredRoute) => costMicrousd ?? Number.MAX_SAFE_INTEGER;
  return routes
    .filter((route) => route !== loser && mayGain(route) && badShareOf(route) <= badShareMax)
    .toSorted((a, b) => badShareOf(a) - badShareOf(b) || cost(a) - cost(b) || b.weight - a.weight)[0];
}

function mayGain({ isHeld, isPaused, isDoubtful, restingWeight }: MeasuredRoute): boolean {
  return !isHeld && !isPaused && !isDoubtful && restingWeight > 0;
}

/** Returns a share from 0 to 1; 0 while there are too few messages. */
function badShareOf({ messages, bad, worstMessages, worstBad }: MeasuredRoute): number {
  if (messages < JUDGED_MIN) return 0;
  const others = messages - worstMessages;
  const share = bad / messages;
  return others < JUDGED_MIN ? share : Math.min(share, (bad - worstBad) / others);
}

function isBad(route: MeasuredRoute): boolean {
  return badShareOf(route) >= BAD_SHARE;
}

function isSilent(route: MeasuredRoute): boolean {
  return route.newestBad >= JUDGED_MIN && isBad(route);
}

function isOver(minutes: number | null, wanted: number): boolean {
  return minutes === null || minutes >= wanted;
}

/** Whether a route can serve a country: it takes messages, and its bad share is below the bound. */
export function isHealthy(route: Pick<MeasuredRoute, 'isPaused' | 'messages' | 'bad'>): boolean {
  return !route.isPaused && (route.messages < JUDGED_MIN || route.bad / route.messages < BAD_SHARE);
}
