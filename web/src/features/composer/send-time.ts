import { limits } from '#contract/limits.js';
import { newYorkMoment } from '../../ui/format.js';

/**
 * Send time of a message: at once, or the picked local time 'YYYY-MM-DDTHH:mm', which may be empty.
 */
export type SendTime = { readonly kind: 'now' } | { readonly kind: 'later'; readonly local: string };

/** The picked instant; undefined while nothing is picked. */
export function instantOf(time: SendTime): Date | undefined {
  if (time.kind === 'now' || time.local === '') return undefined;
  const at = new Date(time.local);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/** Reason why a message cannot leave at a time; undefined if it can. */
export function timeFault(time: SendTime, now: Date): string | undefined {
  if (time.kind === 'now') return undefined;
  const at = instantOf(time);
  if (!at) return 'Choose a date and a time.';
  const secondsAhead = (at.getTime() - now.getTime()) / 1_000;
  if (secondsAhead < limits.sendAtSecondsMin) return 'This time is over. Choose a later one.';
  if (secondsAhead > limits.sendAtDaysMax * 86_400) return `Choose a time within ${limits.sendAtDaysMax} days.`;
  return undefined;
}

/** The instant in the browser's time zone and in New York, whose days the daily limit counts. */
export function timeInWords(at: Date): { readonly local: string; readonly newYork: string } {
  const local = at.toLocaleString('en-US', { dateStyle: 'full', timeStyle: 'short' });
  return { local: local.replace('\u202f', ' '), newYork: newYorkMoment(at.toISOString()) };
}

/** The value of an input of type `datetime-local` for an instant. */
export function pickerValueOf(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
