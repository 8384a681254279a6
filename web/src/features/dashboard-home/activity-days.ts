import type { ActivityDay } from '#contract/dashboard.js';

/** The statuses that a day counts and their names, in stacking order from the bottom. */
export const dayStates = [
  ['delivered', 'Delivered'],
  ['sent', 'Sent'],
  ['queued', 'Queued'],
  ['scheduled', 'Scheduled'],
  ['undelivered', 'Undelivered'],
  ['failed', 'Failed'],
  ['canceled', 'Canceled'],
] as const;

type DayState = (typeof dayStates)[number][0];

/** All messages of a day. */
export function totalOf(day: ActivityDay): number {
  return dayStates.reduce((sum, [state]) => sum + day[state], 0);
}

/** Minimum of days, so that columns do not get too wide. */
const COLUMNS_MIN = 7;

/** The days from the first with messages on, but at least the last {@link COLUMNS_MIN}. */
export function fromFirstMessage(days: readonly ActivityDay[]): readonly ActivityDay[] {
  const first = days.findIndex((day) => totalOf(day) > 0);
  return first < 0 ? days : days.slice(Math.min(first, Math.max(0, days.length - COLUMNS_MIN)));
}

/** The total of each status over all days. */
export function sumOf(days: readonly ActivityDay[]): Record<DayState, number> {
  const sum = { delivered: 0, sent: 0, queued: 0, scheduled: 0, undelivered: 0, failed: 0, canceled: 0 };
  for (const day of days) for (const [state] of dayStates) sum[state] += day[state];
  return sum;
}

/** '12 delivered, 1 failed', or 'no messages'. */
export function dayInWords(day: ActivityDay): string {
  const words = dayStates
    .filter(([state]) => day[state] > 0)
    .map(([state]) => `${day[state].toLocaleString('en-US')} ${state}`);
  return words.join(', ') || 'no messages';
}

/**
 * A segment of a day's column. `y`, from the top, and `height` are fractions of the chart's height.
 */
interface Piece {
  readonly state: DayState;
  readonly y: number;
  readonly height: number;
}

/** The top of the axis: a round number of at least 4 whose half is whole. */
export function axisMax(days: readonly ActivityDay[]): number {
  const most = Math.max(4, ...days.map(totalOf));
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [1, 2, 4, 6, 8, 10].find((one) => one * power >= most) ?? 10;
  return step * power;
}

/** A day as stacked segments, for statuses with messages only. */
export function columnOf(day: ActivityDay, max: number): Piece[] {
  let y = 1;
  return dayStates
    .filter(([state]) => day[state] > 0)
    .map(([state]) => {
      const height = day[state] / max;
      y -= height;
      return { state, y, height };
    });
}
