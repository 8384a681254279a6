import type { ActivityDay } from '#contract/dashboard.js';

/** The states that a day counts, in the order in which a column is stacked from below, with their words. */
export const dayStates = [
  ['delivered', 'Delivered'],
  ['sent', 'Sent'],
  ['queued', 'Queued'],
  ['undelivered', 'Undelivered'],
  ['failed', 'Failed'],
] as const;

export type DayState = (typeof dayStates)[number][0];

/** All messages of a day. */
export function totalOf(day: ActivityDay): number {
  return dayStates.reduce((sum, [state]) => sum + day[state], 0);
}

/** How many of each state all days have. */
export function sumOf(days: readonly ActivityDay[]): Record<DayState, number> {
  const sum = { delivered: 0, sent: 0, queued: 0, undelivered: 0, failed: 0 };
  for (const day of days) for (const [state] of dayStates) sum[state] += day[state];
  return sum;
}

/** '12 delivered, 1 failed', or that there is nothing. */
export function dayInWords(day: ActivityDay): string {
  const words = dayStates
    .filter(([state]) => day[state] > 0)
    .map(([state]) => `${day[state].toLocaleString('en-US')} ${state}`);
  return words.join(', ') || 'no messages';
}
