import { z } from 'zod';

/** Credits used within the last `hours`, after refunds; enough for a forecast. */
export const recentUse = z.object({ credits: z.int().positive(), hours: z.int().positive() });
export type RecentUse = z.infer<typeof recentUse>;

/** Hours and credits of use that a forecast needs at least. */
export const useHoursMin = 72;
export const useCreditsMin = 10;

interface UseFigures {
  /** Hours since the account's first credits. */
  readonly ageHours: number;
  /** Credits used within the last 7 days, after refunds. */
  readonly usedInWeek: number;
  /** Credits used within the last 30 days, after refunds. */
  readonly usedInMonth: number;
}

const WEEK_HOURS = 7 * 24;
const MONTH_HOURS = 30 * 24;

/**
 * Chooses the days that a forecast rests on: the last 7, else the last 30, as far as the account
 * is old enough. Undefined with too little use.
 */
export function recentUseOf({ ageHours, usedInWeek, usedInMonth }: UseFigures): RecentUse | undefined {
  const age = Math.floor(ageHours);
  if (age < useHoursMin) return undefined;
  if (usedInWeek >= useCreditsMin) return { credits: usedInWeek, hours: Math.min(WEEK_HOURS, age) };
  if (usedInMonth >= useCreditsMin) return { credits: usedInMonth, hours: Math.min(MONTH_HOURS, age) };
  return undefined;
}

/** Whole days for which these credits last at the recent rate of use. */
export function daysLeft(available: number, { credits, hours }: RecentUse): number {
  return Math.floor((available * hours) / (credits * 24));
}

const YEAR_DAYS = 365;

/** Returns 'about 12 days', 'less than a day' or 'more than a year'. */
export function daysInWords(days: number): string {
  if (days < 1) return 'less than a day';
  if (days > YEAR_DAYS) return 'more than a year';
  return days === 1 ? 'about 1 day' : `about ${days} days`;
}
