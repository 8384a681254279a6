const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat('en', { weekday: 'short' });
const date = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });
const longDate = new Intl.DateTimeFormat('en', { weekday: 'long', day: 'numeric', month: 'long' });
const plainNumber = new Intl.NumberFormat('en');

const DAY_MS = 86_400_000;
const ONE_DIGIT_CODES = /^[17]/;
const TWO_DIGIT_CODES = /^(2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** Formats a phone number in groups: `+1 415 555 2671`. Returns any other text unchanged. */
export function readableNumber(number: string): string {
  if (!/^\+\d{7,}$/.test(number)) return number;
  const digits = number.slice(1);
  const codeLength = ONE_DIGIT_CODES.test(digits) ? 1 : TWO_DIGIT_CODES.test(digits) ? 2 : 3;
  const groups: string[] = [];
  let rest = digits.slice(codeLength);
  while (rest.length > 4) {
    const length = rest.length % 4 === 0 ? 4 : 3;
    groups.push(rest.slice(0, length));
    rest = rest.slice(length);
  }
  return `+${[digits.slice(0, codeLength), ...groups, rest].filter(Boolean).join(' ')}`;
}

export function clockTime(at: string): string {
  return time.format(new Date(at));
}

/** Short time of a message: a time today, a day before that. */
export function shortTime(at: string): string {
  const then = new Date(at);
  const days = daysAgo(then);
  if (days <= 0) return time.format(then);
  return days < 7 ? weekday.format(then) : date.format(then);
}

export function dayName(at: string): string {
  const then = new Date(at);
  const days = daysAgo(then);
  if (days <= 0) return 'Today';
  return days === 1 ? 'Yesterday' : longDate.format(then);
}

export function isSameDay(one: string, other: string): boolean {
  return new Date(one).toDateString() === new Date(other).toDateString();
}

export function counted(count: number, noun: string): string {
  return `${plainNumber.format(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function daysAgo(then: Date): number {
  const midnight = (day: Date) => new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();
  return Math.round((midnight(new Date()) - midnight(then)) / DAY_MS);
}
