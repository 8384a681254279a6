/** Creates a format on first use: each takes a millisecond, and many pages use no format. */
function lazily<Format>(create: () => Format): () => Format {
  let format: Format | undefined;
  return () => (format ??= create());
}

const timestamp = lazily(
  () =>
    new Intl.DateTimeFormat('en-US', {
      timeZone: 'America/New_York',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      second: '2-digit',
    }),
);
// Calendar days have no time zone, so they are parsed and formatted in UTC.
const date = lazily(
  () => new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', year: 'numeric', month: 'short', day: 'numeric' }),
);
const shortDate = lazily(() => new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' }));

/** An instant in New York time, formatted like the server's: '11/21/2026, 3:04:05 PM'. */
export function newYorkTime(instant: string): string {
  return timestamp().format(new Date(instant)).replace('\u202f', ' ');
}

const clock = lazily(
  () => new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', hour: 'numeric', minute: '2-digit' }),
);

/** The time of day of an instant in New York: '3:04 PM'. */
export function newYorkClock(instant: string): string {
  return clock().format(new Date(instant)).replace('\u202f', ' ');
}

/**
 * Day and time of an instant in New York, the common form of dates in the dashboard: 'Nov 24, 5:58
 * PM'. Elements with it show {@link exactTimes} on hover.
 */
export function newYorkMoment(instant: string): string {
  return `${briefDayText(newYorkDay(new Date(instant)))}, ${newYorkClock(instant)}`;
}

/**
 * Shortens the New York time of an answer, '11/24/2026, 5:58:54 PM', to 'Nov 24, 5:58 PM'; returns
 * any other text unchanged.
 */
export function briefTimestamp(text: string): string {
  const [, month = '', day = '', year, clockText, half] =
    /^(\d{1,2})\/(\d{1,2})\/(\d{4}), (\d{1,2}:\d\d):\d\d ([AP]M)$/.exec(text) ?? [];
  if (year === undefined) return text;
  return `${briefDayText(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)}, ${clockText} ${half}`;
}

/** Both times of an instant, in New York and in the time zone of the browser. */
export function exactTimes(instant: string): string {
  return `New York: ${newYorkTime(instant)}. Here: ${localTime(instant)}.`;
}

/** The time between two instants: '0.4 s', '12 s', '3 min', '2 h', '4 d'. */
export function elapsedText(from: string, to: string): string {
  const seconds = Math.max(0, Date.parse(to) - Date.parse(from)) / 1_000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const { unit, size } = elapsedUnits.find((one) => seconds >= 2 * one.size) ?? { unit: 's', size: 1 };
  return `${Math.round(seconds / size)} ${unit}`;
}

const elapsedUnits = [
  { unit: 'd', size: 86_400 },
  { unit: 'h', size: 3_600 },
  { unit: 'min', size: 60 },
] as const;

const seconds = lazily(
  () =>
    new Intl.DateTimeFormat('en-US', {
      timeZone: 'America/New_York',
      hour: 'numeric',
      minute: '2-digit',
      second: '2-digit',
    }),
);

/** The time of day in New York to the second: '3:04:05 PM'. */
export function newYorkSecond(instant: string): string {
  return seconds().format(new Date(instant)).replace('\u202f', ' ');
}

const localTimestamp = lazily(() => new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'long' }));

/** An instant in the time zone of the browser, with its name. */
export function localTime(instant: string): string {
  return localTimestamp().format(new Date(instant)).replace('\u202f', ' ');
}

/** Formats the day '2026-11-21' as 'Nov 21, 2026'. */
export function dayText(day: string): string {
  return date().format(new Date(`${day}T00:00:00Z`));
}

/** Formats a day without its year: 'Nov 21'. */
export function shortDayText(day: string): string {
  return shortDate().format(new Date(`${day}T00:00:00Z`));
}

/** Formats a day; includes its year unless it is the current year. */
export function briefDayText(day: string, now = new Date()): string {
  return day.slice(0, 4) === newYorkDay(now).slice(0, 4) ? shortDayText(day) : dayText(day);
}

const hourFormat = lazily(
  () =>
    new Intl.DateTimeFormat('en-US', {
      timeZone: 'America/New_York',
      hour: 'numeric',
      hourCycle: 'h23',
    }),
);

const DAY_MS = 86_400_000;

/** Last supported day: date fields accept later years, which `Date` cannot parse. */
const LAST_DAY = '9999-12-30';

const knownDay = (day: string): string => (/^\d{4}-/.test(day) ? day : LAST_DAY);

/**
 * The instant at which a day ('YYYY-MM-DD') begins in New York: 04:00 UTC in summer, 05:00 UTC in
 * winter.
 */
export function startOfNewYorkDay(picked: string): string {
  const day = knownDay(picked);
  const summer = new Date(`${day}T04:00:00.000Z`);
  return hourFormat().format(summer) === '00' ? summer.toISOString() : `${day}T05:00:00.000Z`;
}

/** The instant at which the following day begins. */
export function endOfNewYorkDay(day: string): string {
  const known = day < LAST_DAY ? knownDay(day) : LAST_DAY;
  return startOfNewYorkDay(new Date(Date.parse(known) + DAY_MS).toISOString().slice(0, 10));
}

// Canada writes dates as ISO 8601 does.
const isoDay = lazily(() => new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York', dateStyle: 'short' }));

/** The day of an instant in New York, 'YYYY-MM-DD'. */
export function newYorkDay(at: Date): string {
  return isoDay().format(at);
}

const SHOWN_CHARACTERS = 30;

const characters = lazily(() => new Intl.Segmenter('en-US', { granularity: 'grapheme' }));

/**
 * Cuts a message to 30 characters plus '...' (product specification, section 2). Counts graphemes
 * (Unicode UAX #29), so that an emoji is never cut in two.
 */
export function cutText(text: string): { readonly shown: string; readonly isCut: boolean } {
  if (text.length <= SHOWN_CHARACTERS) return { shown: text, isCut: false };
  let count = 0;
  for (const { index } of characters().segment(text)) {
    if (count === SHOWN_CHARACTERS) return { shown: `${text.slice(0, index)}...`, isCut: true };
    count += 1;
  }
  return { shown: text, isCut: false };
}

/** A character for display; an invisible character, such as a no-break space, as its code point. */
export function shownCharacter(character: string): string {
  if (!/^[\p{Z}\p{C}\p{M}]+$/u.test(character)) return character;
  return Array.from(
    character,
    (one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`,
  ).join(' ');
}

/** Reads a whole number, with or without thousands separators; NaN for other texts. */
export function wholeNumber(text: string): number {
  const digits = text.trim();
  return /^(\d{1,9}|\d{1,3}(,\d{3})+)$/.test(digits) ? Number(digits.replaceAll(',', '')) : Number.NaN;
}

/** The display name of an encoding. */
export function encodingText(encoding: 'GSM-7' | 'UCS-2'): string {
  return encoding === 'GSM-7' ? encoding : 'Unicode (UCS-2)';
}

/** The number of segments, with the encoding if it is known: '2, GSM-7'. */
export function segmentsText(segments: number, encoding: 'GSM-7' | 'UCS-2' | null): string {
  const count = segments.toLocaleString('en-US');
  return encoding === null ? count : `${count}, ${encodingText(encoding)}`;
}

/** Text in place of the number of segments. */
export const SEGMENTS_OF_MMS = 'None: an MMS has one price';

/** '181 kB': in decimal units, as file managers show it. */
export function fileSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1_000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/**
 * The text or number of a message, or a word in its place if it was erased; see docs/data.md. A
 * reply can also lack a text from the start.
 */
export function orRemoved(text: string, isRemoved = true): string {
  if (text !== '') return text;
  return isRemoved ? 'Removed' : 'Empty message';
}

/** Words for the channels that prefix the number of a message. */
const ways: Readonly<Record<string, string>> = { whatsapp: 'by WhatsApp', voice: 'by voice call' };
const PREFIX = /^(whatsapp|voice):/;

/** A recipient of a message, as people read it. */
interface Recipient {
  /** A number, or an address of email. */
  readonly address: string;
  /** The channel, unless it follows from the address. */
  readonly way: string | undefined;
}

/** Splits the recipient of a message, such as 'whatsapp:+14155552671', into its number and its channel. */
export function recipientOf(to: string): Recipient {
  const [prefix = '', channel = ''] = PREFIX.exec(to) ?? [];
  return { address: to.slice(prefix.length), way: ways[channel] };
}

/** Whether a recipient gets text messages: its number has no channel of its own, and it is no address of email. */
export function isTexted(to: string): boolean {
  return to !== '' && !PREFIX.test(to) && !to.includes('@');
}
