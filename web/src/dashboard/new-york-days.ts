const hourFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  hour: 'numeric',
  hourCycle: 'h23',
});

const DAY_MS = 86_400_000;

/** The instant at which a day ('YYYY-MM-DD') begins in New York: 04:00 UTC in summer, 05:00 UTC in winter. */
export function startOfNewYorkDay(day: string): string {
  const summer = new Date(`${day}T04:00:00.000Z`);
  return hourFormat.format(summer) === '00' ? summer.toISOString() : `${day}T05:00:00.000Z`;
}

/** The instant at which the day after it begins. */
export function endOfNewYorkDay(day: string): string {
  return startOfNewYorkDay(new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10));
}
