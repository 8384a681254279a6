import { newYorkDay } from '../../ui/format.js';

/** Returns the first day of a span of so many months that ends with the month of `day`. */
export function firstDayOf(months: number, day = newYorkDay(new Date())): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - months, 1)).toISOString().slice(0, 10);
}
