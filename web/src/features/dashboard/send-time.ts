import { limits } from '#contract/limits.js';
import { newYorkTime } from '../../ui/format.js';

/** When a message leaves: at once, or at the local time 'YYYY-MM-DDTHH:mm' that was picked, which may be empty. */
export type SendTime = { readonly kind: 'now' } | { readonly kind: 'later'; readonly local: string };

const localTime = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'short' });

/** The picked instant; undefined while nothing is picked. */
export function instantOf(time: SendTime): Date | undefined {
  if (time.kind === 'now' || time.local === '') return undefined;
  const at = new Date(time.local);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/** Why a message cannot leave then; undefined if it can. */
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
  return { local: localTime.format(at).replace('\u202f', ' '), newYork: newYorkTime(at.toISOString()) };
}

/** The value of an input of type `datetime-local` for an instant. */
export function pickerValueOf(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
