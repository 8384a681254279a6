const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';
/** `Sun, 06 Nov 1994 08:49:37 GMT`, and `Sunday, 06-Nov-94 08:49:37 GMT` of RFC 850. */
const DATE = /^[a-z]+, (\d{2})[ -]([a-z]{3})[ -](\d{4}|\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/i;
/** `Sun Nov  6 08:49:37 1994` of C's asctime, in UTC. */
const ASCTIME = /^[a-z]{3} ([a-z]{3}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/i;

/**
 * Seconds of Retry-After, which is a number or a date (RFC 9110, section 10.2.3). A date is compared
 * with that of the answer, if it has one, since the clocks may differ. Undefined without the header,
 * and when it is neither.
 * @internal
 */
export function retryAfterOf(headers: Headers, now = new Date()): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value);
  const at = timeOf(value, now);
  if (at === undefined) return undefined;
  const answered = timeOf(headers.get('date')?.trim() ?? '', now) ?? now.getTime();
  return Math.max(0, Math.ceil((at - answered) / 1_000));
}

/** Milliseconds of an HTTP-date in any of its three forms (RFC 9110, section 5.6.7). */
function timeOf(text: string, now: Date): number | undefined {
  const [, day, month, year, ...time] = DATE.exec(text) ?? [];
  if (day !== undefined) return utc([fullYear(Number(year), now), month, day, ...time]);
  const [, named, dayOfMonth, hours, minutes, seconds, ofYear] = ASCTIME.exec(text) ?? [];
  return named === undefined ? undefined : utc([Number(ofYear), named, dayOfMonth, hours, minutes, seconds]);
}

/** Two digits that would be more than 50 years ahead are a year of the past. */
function fullYear(year: number, now: Date): number {
  if (year > 99) return year;
  const near = Math.floor(now.getUTCFullYear() / 100) * 100 + year;
  return near > now.getUTCFullYear() + 50 ? near - 100 : near;
}

function utc([year, month = '', day, hours, minutes, seconds]: readonly (number | string | undefined)[]) {
  const place = MONTHS.toLowerCase().indexOf(String(month).toLowerCase());
  const at = Date.UTC(Number(year), place / 3, Number(day), Number(hours), Number(minutes), Number(seconds));
  return place % 3 === 0 && !Number.isNaN(at) ? at : undefined;
}

/**
 * The type of a Content-Type without its parameters, in small letters (RFC 9110, section 8.3.1).
 * @internal
 */
export function mediaTypeOf(headers: Headers): string | undefined {
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  return type.trim().toLowerCase() || undefined;
}

/**
 * The name of a file in Content-Disposition: a token or a quoted string, or an extended value in
 * UTF-8, which counts more (RFC 6266, section 4.1; RFC 8187). Without the folders of a path.
 * @internal
 */
export function fileNameOf(headers: Headers): string | undefined {
  const value = headers.get('content-disposition') ?? '';
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^\s;]+)/i.exec(value)?.[1];
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(value);
  const name = decodedName(extended) ?? plain?.[1]?.replaceAll(/\\(.)/g, '$1') ?? plain?.[2];
  return name?.split(/[/\\]/).at(-1) || undefined;
}

function decodedName(extended: string | undefined): string | undefined {
  try {
    return extended === undefined ? undefined : decodeURIComponent(extended);
  } catch {
    // The extended name is not UTF-8: the plain name counts.
    return undefined;
  }
}

/**
 * The SHA-256 of Repr-Digest in base64: one member of a dictionary, maybe with parameters (RFC 9530,
 * section 3; RFC 9651, section 3.2).
 * @internal
 */
export function sha256Of(headers: Headers): string | undefined {
  return /(?:^|,)[ \t]*sha-256=:([A-Za-z0-9+/=]*):/.exec(headers.get('repr-digest') ?? '')?.[1];
}
