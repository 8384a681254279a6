const RFC_3339 = /^(\d{4}-(\d{2})-(\d{2}))T(\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(?:Z|[+-](\d{2}):(\d{2}))$/i;

/** Parses a date and time with an offset (RFC 3339, section 5.6); undefined for anything else, such as 30 February. */
export function parseInstant(text: string): Date | undefined {
  const found = RFC_3339.exec(text.trim());
  if (!found) return undefined;
  const [whole, date = '', , , time = '', offsetHours = '0', offsetMinutes = '0'] = found;
  // Date rolls a day that its month does not have over into the next month.
  const midnight = new Date(`${date}T00:00:00Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(date)) return undefined;
  if (time.startsWith('24') || Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  const at = new Date(whole.toUpperCase());
  return Number.isNaN(at.getTime()) ? undefined : at;
}
