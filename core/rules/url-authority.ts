import { parsedUrl } from './parsed-url.js';
import { topLevelDomains } from './top-level-domains.js';

interface Authority {
  /** The host that a browser would go to, lower case; undefined when there is none. */
  host: string | undefined;
  /** Index behind the host. */
  end: number;
}

const HOST_LENGTH_MAX = 253;
const AUTHORITY = /[^\s/\\?#<>"`]*/y;
const HOST = /\[[0-9a-f:.]*\]|(?:[a-z0-9._%-]|[^\0-\x7f])*/iy;
const PLAIN_HOST_START = /^[a-z0-9._-]*/i;

/** Reads the host that stands at `start`, behind '://': user information and dots at the end are passed over. */
export function hostOfAuthority(text: string, start: number): Authority {
  const authority = matchAt(AUTHORITY, text, start);
  const hostStart = start + authority.lastIndexOf('@') + 1;
  const written = matchAt(HOST, text, hostStart);
  const plain = PLAIN_HOST_START.exec(written)?.[0] ?? '';
  // 'http://example.com你好': a host that is complete ends where another script begins.
  const isPlain =
    plain === written || topLevelDomains.has(withoutDotsAtEnd(plain).split('.').at(-1)?.toLowerCase() ?? '');
  const host = withoutDotsAtEnd(isPlain ? plain.toLowerCase() : asBrowsersRead(written));
  if (host === '') return { host: undefined, end: start };
  return { host, end: hostStart + (isPlain ? plain : written).length };
}

/** Percent signs, full-width letters and ideographic dots mean plain ones to a browser, so 'bit。ly' is bit.ly. */
function asBrowsersRead(host: string): string {
  const url = host.length <= HOST_LENGTH_MAX ? parsedUrl(`http://${host}`) : undefined;
  return url?.hostname ?? host.toLowerCase();
}

function withoutDotsAtEnd(host: string): string {
  let end = host.length;
  while (host[end - 1] === '.') end--;
  return host.slice(0, end);
}

function matchAt(sticky: RegExp, text: string, index: number): string {
  sticky.lastIndex = index;
  return sticky.exec(text)?.[0] ?? '';
}
