import { z } from 'zod';

/** Credits used within the last hours, after refunds; enough of them to judge by. */
export const recentUse = z.object({ credits: z.int().positive(), hours: z.int().positive() });
export type RecentUse = z.infer<typeof recentUse>;

/** Fewer hours, or fewer credits, are no habit that a forecast could rest on. */
export const useHoursMin = 72;
export const useCreditsMin = 10;

interface UseFigures {
  /** Hours since the account's first credits. */
  readonly ageHours: number;
  /** Credits used within the last 7 days, after refunds. */
  readonly usedInWeek: number;
  /** The same for 30 days. */
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

/** Whole days for which these credits last if they are used as lately. */
export function daysLeft(available: number, { credits, hours }: RecentUse): number {
  return Math.floor((available * hours) / (credits * 24));
}

const YEAR_DAYS = 365;

/** 'about 12 days', 'less than a day', 'more than a year'. */
export function daysInWords(days: number): string {
  if (days < 1) return 'less than a day';
  if (days > YEAR_DAYS) return 'more than a year';
  return days === 1 ? 'about 1 day' : `about ${days} days`;
}
