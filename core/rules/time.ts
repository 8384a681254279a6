const timeZone = 'America/New_York';
// Shared, because creating a formatter costs far more than using it.
const dayFormat = new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
const timestampFormat = new Intl.DateTimeFormat('en-US', {
  timeZone,
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
});

const HOUR_MS = 3_600_000;

/** Returns the date in New York, 'YYYY-MM-DD'. */
export function newYorkDay(at: Date): string {
  const [month, day, year] = dayFormat.format(at).split('/');
  return `${year}-${month}-${day}`;
}

/**
 * Returns the seconds until midnight in New York, rounded up: 1 to 90,000, as a day there has 23,
 * 24 or 25 hours.
 */
export function secondsUntilNewYorkMidnight(at: Date): number {
  const midnight = startOfNewYorkDay(dayAfter(newYorkDay(at)));
  return Math.ceil((midnight.getTime() - at.getTime()) / 1000);
}

/** Returns the seconds until the next month begins in New York, rounded up. */
export function secondsUntilNewYorkMonth(at: Date): number {
  const [year = 0, month = 0] = newYorkDay(at).split('-').map(Number);
  const first = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
  return Math.ceil((startOfNewYorkDay(first).getTime() - at.getTime()) / 1000);
}

/** Returns the instant at which a day ('YYYY-MM-DD', from 2000 on) begins in New York. */
export function startOfNewYorkDay(day: string): Date {
  // Midnight there is 04:00 UTC in summer and 05:00 UTC in winter; in winter 04:00 UTC is still the
  // day before.
  const summerMidnight = new Date(Date.parse(`${day}T00:00:00Z`) + 4 * HOUR_MS);
  return newYorkDay(summerMidnight) === day ? summerMidnight : new Date(summerMidnight.getTime() + HOUR_MS);
}

/** Returns the next calendar day. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 24 * HOUR_MS).toISOString().slice(0, 10);
}

/** Returns `count` consecutive calendar days that end with `last`. */
export function daysUntil(last: string, count: number): string[] {
  const end = Date.parse(`${last}T00:00:00Z`);
  return Array.from({ length: count }, (_, n) =>
    new Date(end - (count - 1 - n) * 24 * HOUR_MS).toISOString().slice(0, 10),
  );
}

/** Formats date and time in New York in US English: '11/21/2026, 3:04:05 PM'. */
export function newYorkTimestamp(at: Date): string {
  // Some ICU versions write a narrow no-break space before AM and PM.
  return timestampFormat.format(at).replace('\u202f', ' ');
}

/**
 * A time of RFC 3339 except for a space, a colon or the seconds; a form turns its `+` into a space.
 */
const NEARLY_RFC_3339 =
  /^(\d{4}-\d{2}-\d{2})[T ]+(\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)? ?(?:(Z)|([-+ ]?)(\d{2}):?(\d{2}))$/i;

/**
 * Returns the RFC 3339 time that a text means; undefined if the text is ambiguous or not a time.
 */
export function meantInstant(text: string): string | undefined {
  const found = NEARLY_RFC_3339.exec(text.trim());
  if (!found) return undefined;
  const [, date = '', time = '', seconds = ':00', utc, sign = '', hours = '', minutes = ''] = found;
  const meant = `${date}T${time}${seconds}${utc ?? `${sign.trim() || '+'}${hours}:${minutes}`}`;
  return parseInstant(meant) && meant;
}

const RFC_3339 = /^(\d{4}-(\d{2})-(\d{2}))T(\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(?:Z|[+-](\d{2}):(\d{2}))$/i;

/**
 * Parses a date and time with an offset (RFC 3339, section 5.6); undefined for anything else, such
 * as 30 February.
 */
export function parseInstant(text: string): Date | undefined {
  const found = RFC_3339.exec(text.trim());
  if (!found) return undefined;
  const [whole, date = '', , , time = '', offsetHours = '0', offsetMinutes = '0'] = found;
  // Date moves a day that its month does not have into the next month.
  const midnight = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(date)) return undefined;
  if (time.startsWith('24') || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  const at = new Date(whole.toUpperCase());
  return Number.isNaN(at.getTime()) ? undefined : at;
}
