import { limits } from '#contract/limits.js';
import { deliverabilityDays } from '#contract/deliverability.js';
import { newYorkDay } from '../../ui/format.js';

const DAY_MS = 86_400_000;

/** The spans to choose from, in days up to today. */
export const spans = [7, limits.deliverabilityDaysDefault, 90] as const;

/** New York days, inclusive. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** The last `count` days, today included. */
export function lastDays(count: number, now = new Date()): Span {
  const to = newYorkDay(now);
  return { from: new Date(Date.parse(`${to}T00:00:00Z`) - (count - 1) * DAY_MS).toISOString().slice(0, 10), to };
}

/** The days in an address; the default ones if it has none, or some that the server would refuse. */
export function spanIn(address: URLSearchParams, now = new Date()): Span {
  const given = { from: address.get('from') ?? '', to: address.get('to') ?? '' };
  const isWhole = given.from !== '' && given.to !== '' && deliverabilityDays.safeParse(given).success;
  const days = (Date.parse(given.to) - Date.parse(given.from)) / DAY_MS + 1;
  return isWhole && days >= 1 && days <= limits.deliverabilityDaysMax ? given : lastDays(spans[1], now);
}

/** How many days up to today these are, as one of the choices; undefined for any others. */
export function choiceOf({ from, to }: Span, now = new Date()): (typeof spans)[number] | undefined {
  return spans.find((count) => {
    const span = lastDays(count, now);
    return span.from === from && span.to === to;
  });
}
