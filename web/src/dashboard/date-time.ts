const timestamp = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
});
// A day of the calendar has no time zone: it is read and written in one.
const date = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', year: 'numeric', month: 'short', day: 'numeric' });
const shortDate = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' });

/** An instant of an answer in New York time, as the server writes times: '11/21/2026, 3:04:05 PM'. */
export function newYorkTime(instant: string): string {
  return timestamp.format(new Date(instant)).replace('\u202f', ' ');
}

/** A day of an answer ('2026-11-21') as 'Nov 21, 2026'. */
export function dayText(day: string): string {
  return date.format(new Date(`${day}T00:00:00Z`));
}

/** The same without its year: 'Nov 21'. */
export function shortDayText(day: string): string {
  return shortDate.format(new Date(`${day}T00:00:00Z`));
}
