import type { ActivityDay } from '#contract/dashboard.js';
import { dayStates, totalOf, type DayState } from './day-states.js';

/** A piece of a day's column: from `y`, downwards from the top of the chart, in shares of its height. */
export interface Piece {
  readonly state: DayState;
  readonly y: number;
  readonly height: number;
}

/** The highest number of the axis: a round one of which half is whole, at least 4. */
export function axisMax(days: readonly ActivityDay[]): number {
  const most = Math.max(4, ...days.map(totalOf));
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [1, 2, 4, 6, 8, 10].find((one) => one * power >= most) ?? 10;
  return step * power;
}

/** A day as a column of stacked pieces; states without messages have none. */
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
