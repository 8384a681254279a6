import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat('en', { weekday: 'short' });
const date = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });
const longDate = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' });
const plainNumber = new Intl.NumberFormat('en');

const DAY_MS = 86_400_000;

/** Formats a phone number in groups: `+1 415 555 2671`. Returns any other text unchanged. */
export function readableNumber(number: string): string {
  return parsePhoneNumberFromString(number)?.formatInternational() ?? number;
}

export function clockTime(at: string): string {
  return time.format(new Date(at));
}

/** Short time of a message: a time today, a day before that. */
export function shortTime(at: string): string {
  const days = daysAgo(at);
  if (days <= 0) return clockTime(at);
  return (days < 7 ? weekday : date).format(new Date(at));
}

export function dayName(at: string): string {
  const days = daysAgo(at);
  if (days <= 0) return 'Today';
  return days === 1 ? 'Yesterday' : longDate.format(new Date(at));
}

/** Files of a message without a text: 'Picture', '2 files'; empty without files. */
export function filesInWords(media: readonly { readonly type: string }[]): string {
  const [first] = media;
  if (first === undefined) return '';
  return media.length === 1 && first.type.startsWith('image/') ? 'Picture' : counted(media.length, 'file');
}

export function counted(count: number, noun: string): string {
  return `${plainNumber.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function daysAgo(at: string): number {
  return Math.round((new Date().setHours(0, 0, 0, 0) - new Date(at).setHours(0, 0, 0, 0)) / DAY_MS);
}
