import { topLevelDomains, wordlessTopLevelDomains } from './top-level-domains.js';
import { hostOfAuthority } from './url-authority.js';
import { urlShorteners } from './url-shorteners.js';

export type UrlKind = 'none' | 'url' | 'shortened';

/**
 * What kind of web address a text holds: http(s) URLs, 'www.' names, and bare hosts under a known top-level domain, as
 * phones turn them into links; 'shortened' when one belongs to a public URL shortener. An e-mail address is none.
 * Takes time in proportion to the length.
 */
export function urlsIn(text: string): UrlKind {
  if (!text.includes('.') && !text.includes('://')) return 'none';
  let kind: UrlKind = 'none';
  let index = 0;
  while (index < text.length) {
    if (!startsName(text, index)) {
      index++;
      continue;
    }
    const end = endOfName(text, index);
    const name = text.slice(index, end);
    const { host, end: hostEnd } =
      text.startsWith('://', end) && SCHEME_AT_END.test(name)
        ? hostOfAuthority(text, end + '://'.length)
        : { host: name.includes('.') ? bareHost(name, text[index - 1], text[end]) : undefined, end };
    index = hostEnd;
    if (host === undefined) continue;
    if (isShortener(host)) return 'shortened';
    kind = 'url';
    index = endOfPath(text, hostEnd);
  }
  return kind;
}

const SCHEME_AT_END = /https?$/i;
const TITLE_CASE = /^[A-Z][a-z]/;
const DIGITS = /^\d+$/;
const LOWER_CASE_NAME = /^[a-z]{3,24}$/;
const FOREIGN_LETTER = /[^\0-\x7f]/;

/** The host that a name without 'http://' is read as, given the characters on either side of it. */
function bareHost(name: string, before: string | undefined, after: string | undefined): string | undefined {
  const hasPath = after === '/';
  // 'name@example.com' is an e-mail address, and so is 'first.last@…', but 'user@example.com/page' is a page.
  if (after === '@' || (before === '@' && !hasPath)) return undefined;
  const labels = name.split('.');
  if (labels[0]?.toLowerCase() === 'www') return name.toLowerCase();
  // From the end, as a name may run into the next sentence: 'example.com.Call us'.
  for (let last = labels.length - 1; last > 0; last--) {
    const isFollowedByPath = hasPath && last === labels.length - 1;
    if (isTopLevel(labels[last] ?? '', labels[last - 1] ?? '', isFollowedByPath)) {
      return labels
        .slice(0, last + 1)
        .join('.')
        .toLowerCase();
    }
  }
  return undefined;
}

function isTopLevel(label: string, labelBefore: string, hasPath: boolean): boolean {
  const name = label.toLowerCase();
  if (!topLevelDomains.has(name)) return name.startsWith('xn--') || (hasPath && LOWER_CASE_NAME.test(label));
  if (hasPath) return true;
  // 'at home.In case' has lost a space; '10.am' and '1.st' are no hosts either.
  if (TITLE_CASE.test(label) && !wordlessTopLevelDomains.has(name)) return false;
  return !(name.length === 2 && DIGITS.test(labelBefore));
}

/** Shorteners have two or three labels; whatever stands before them is a subdomain. */
function isShortener(host: string): boolean {
  let dot = host.lastIndexOf('.');
  for (let labels = 2; labels <= 3 && dot > 0; labels++) {
    dot = host.lastIndexOf('.', dot - 1);
    if (urlShorteners.has(host.slice(dot + 1))) return true;
  }
  return false;
}

/** A name begins with an ASCII letter or digit, or with the dot behind a letter of another script: 'bücher.de', '中文.com'. */
function startsName(text: string, index: number): boolean {
  if (isLetterOrDigit(text.charCodeAt(index))) return true;
  return (
    text[index] === '.' && isLetterOrDigit(text.charCodeAt(index + 1)) && FOREIGN_LETTER.test(text[index - 1] ?? '')
  );
}

/** Behind the letters, digits, hyphens and inner dots that begin at `start`. */
function endOfName(text: string, start: number): number {
  let end = start + 1;
  for (let index = end; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isLetterOrDigit(code)) end = index + 1;
    else if (code !== HYPHEN && !(code === DOT && isLetterOrDigit(text.charCodeAt(index + 1)))) break;
  }
  return end;
}

const HYPHEN = 0x2d;
const DOT = 0x2e;
const PATH = /(?:[/?#\\]|:\d)[^\s,;<>"'()[\]{}|`\u0080-\uffff]*/y;

function endOfPath(text: string, index: number): number {
  PATH.lastIndex = index;
  return PATH.test(text) ? PATH.lastIndex : index;
}

function isLetterOrDigit(code: number): boolean {
  const lower = code | 0x20;
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39);
}
