import { briefDayText, newYorkDay } from './format.js';

const DAY_MS = 86_400_000;

/** The days that histories accept (contract/histories). */
const FIRST_DAY = '2000-01-01';
const LAST_DAY = '2999-12-31';

/** New York days as 'YYYY-MM-DD', inclusive; '' means unbounded. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** Chosen days: the last `days` up to today or, if `days` is '', the span. */
export interface Days extends Span {
  readonly days: string;
}

export const allDays: Days = { days: '', from: '', to: '' };

/** The numbers of days up to today that can be chosen by name. */
export const dayCounts: readonly number[] = [1, 7, 30, 90];

/** Whether an address may have this text as its number of days. */
export const isDayCount = (text: string): boolean => dayCounts.some((count) => String(count) === text);

/** The last `count` days, today included. */
export function lastDays(count: number, now = new Date()): Span {
  const to = newYorkDay(now);
  return { from: new Date(Date.parse(`${to}T00:00:00Z`) - (count - 1) * DAY_MS).toISOString().slice(0, 10), to };
}

/** The span of chosen days, as of now. */
export function spanOf({ days, from, to }: Days, now = new Date()): Span {
  return days === '' ? { from, to } : lastDays(Number(days), now);
}

export const isAll = ({ days, from, to }: Days): boolean => days === '' && from === '' && to === '';

/** Label for the choice of a number of days. */
export const countText = (count: number): string => (count === 1 ? 'Today' : `Last ${count} days`);

/** Chosen days in words. */
export function daysText({ days, from, to }: Days, now = new Date()): string {
  if (days !== '') return countText(Number(days));
  if (from === '' && to === '') return 'All days';
  if (to === '') return `Since ${briefDayText(from, now)}`;
  if (from === '') return `Until ${briefDayText(to, now)}`;
  return from === to ? briefDayText(from, now) : `${briefDayText(from, now)} – ${briefDayText(to, now)}`;
}

const isDay = (text: string) =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(Date.parse(`${text}T00:00:00Z`) || 0).toISOString().startsWith(text);

interface SpanRules {
  /** Requires both ends. */
  readonly isWhole?: boolean | undefined;
  readonly daysMax?: number | undefined;
}

/** Reason why a span cannot be shown, as a sentence; undefined when it can. */
export function spanFault({ from, to }: Span, { isWhole = false, daysMax }: SpanRules = {}): string | undefined {
  for (const day of [from, to]) {
    if (day === '') continue;
    if (!isDay(day)) return `“${day}” is not a day.`;
    if (day < FIRST_DAY || day > LAST_DAY) return 'Choose days from 2000 to 2999.';
  }
  if (isWhole && (from === '' || to === '')) return 'Choose a first and a last day.';
  if (from !== '' && to !== '') {
    if (from > to) return 'The first day is after the last day.';
    const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
    if (daysMax !== undefined && count > daysMax)
      return `These are ${count.toLocaleString('en-US')} days. Choose at most ${daysMax}.`;
  }
  return undefined;
}

/**
 * Parses the days in an address: `days`, or `from` and `to`. A span that breaks the rules is
 * dropped, and explained by `fault`.
 */
export function daysIn(address: URLSearchParams, rules: SpanRules = {}): { days: Days; fault: string | undefined } {
  const days = address.get('days') ?? '';
  if (days !== '') {
    if (isDayCount(days)) return { days: { days, from: '', to: '' }, fault: undefined };
    return { days: allDays, fault: `“${days}” is not a number of days to choose.` };
  }
  const span = { from: address.get('from') ?? '', to: address.get('to') ?? '' };
  if (span.from === '' && span.to === '') return { days: allDays, fault: undefined };
  const fault = spanFault(span, rules);
  return { days: fault === undefined ? { days: '', ...span } : allDays, fault };
}
