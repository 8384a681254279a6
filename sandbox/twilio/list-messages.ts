import type { Message } from './message.js';
import { type MessageStore, walk, walkBoth } from './message-store.js';
import { TwilioError } from './twilio-error.js';

const PAGE_SIZE_DEFAULT = 50;
const PAGE_SIZE_MAX = 1000;
const DAY_SECONDS = 86_400;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const FILTERS = ['To', 'From', 'DateSent', 'DateSent<', 'DateSent>'];

/** One page of Twilio's message list. Links are relative to the host. */
interface MessagePage {
  readonly messages: readonly Message[];
  readonly links: Record<string, string | number | null>;
}

/** Lists messages newest first, filtered by To, From and the three forms of DateSent. Throws TwilioError. */
export function listMessages(store: MessageStore, query: URLSearchParams, path: string): MessagePage {
  const pageSize = wholeNumber(query, 'PageSize', PAGE_SIZE_DEFAULT, 1, PAGE_SIZE_MAX);
  const page = wholeNumber(query, 'Page', 0, 0, 1_000_000);
  const token = parseToken(store, query.get('PageToken'));
  const skipped = token === null ? page * pageSize : 0;
  const direction = token?.direction ?? 'older';
  const found = take(matching(store, query, token?.cursor ?? Infinity, direction), skipped, pageSize + 1);
  const more = found.length > pageSize;
  const messages = found.slice(0, pageSize);
  if (direction === 'newer') messages.reverse();

  const link = (target: number, pageToken: string) => pageLink(path, query, pageSize, target, pageToken);
  const [first, last] = [messages[0], messages[messages.length - 1]];
  const hasNext = direction === 'newer' ? messages.length > 0 : more;
  return {
    messages,
    links: {
      first_page_uri: link(0, ''),
      next_page_uri: hasNext && last ? link(page + 1, `PA${last.sid}`) : null,
      previous_page_uri: page > 0 && first ? link(page - 1, `PB${first.sid}`) : null,
      uri: link(page, query.get('PageToken') ?? ''),
      page,
      page_size: pageSize,
      start: page * pageSize,
      end: page * pageSize + Math.max(messages.length - 1, 0),
    },
  };
}

function* matching(
  store: MessageStore,
  query: URLSearchParams,
  cursor: number,
  direction: 'older' | 'newer',
): Generator<Message> {
  const [to, from] = [number(query, 'To'), number(query, 'From')];
  const [earliest, latest] = sentRange(query);
  const candidates =
    to === null
      ? walk(store.all, cursor, direction)
      : walkBoth(walk(store.ofPhone(to), cursor, direction), walk(store.inboundTo(to), cursor, direction), direction);
  for (const message of candidates) {
    const second = Math.floor((message.sentAtMs ?? message.createdAtMs) / 1000);
    if ((to === null || message.to === to) && (from === null || message.from === from)) {
      if (second >= earliest && second <= latest) yield message;
    }
  }
}

/** The accepted range of date_sent in seconds, both ends inclusive. A date without a time is the whole UTC day. */
function sentRange(query: URLSearchParams): [number, number] {
  const on = instant(query, 'DateSent');
  const after = instant(query, 'DateSent>');
  const before = instant(query, 'DateSent<');
  return [
    Math.max(on?.first ?? -Infinity, after?.first ?? -Infinity),
    Math.min(on?.last ?? Infinity, before?.last ?? Infinity),
  ];
}

function instant(query: URLSearchParams, name: string): { first: number; last: number } | null {
  const text = query.get(name);
  if (text === null || text === '') return null;
  const first = Math.floor(Date.parse(text) / 1000);
  if (!/^\d{4}-\d{2}-\d{2}/.test(text) || Number.isNaN(first)) {
    throw new TwilioError(20001, `Parameter '${name}' is not a valid date: ${text}`);
  }
  return { first, last: DATE.test(text) ? first + DAY_SECONDS - 1 : first };
}

// An unescaped plus sign in a query arrives as a space.
function number(query: URLSearchParams, name: string): string | null {
  const text = query.get(name);
  if (text === null || text === '') return null;
  return text.replace(/^ (?=\d)/, '+');
}

function wholeNumber(query: URLSearchParams, name: string, fallback: number, min: number, max: number): number {
  const text = query.get(name);
  if (text === null || text === '') return fallback;
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || (name === 'Page' && value > max)) {
    throw new TwilioError(20001, `${name} must be a whole number from ${min} to ${max}`);
  }
  return Math.min(value, max);
}

function parseToken(
  store: MessageStore,
  token: string | null,
): { cursor: number; direction: 'older' | 'newer' } | null {
  if (token === null || token === '') return null;
  const message = store.get(token.slice(2));
  const direction = { PA: 'older' as const, PB: 'newer' as const }[token.slice(0, 2)];
  if (message === undefined || direction === undefined) throw new TwilioError(20001, `Invalid PageToken: ${token}`);
  return { cursor: message.sequence, direction };
}

function take(source: Generator<Message>, skipped: number, count: number): Message[] {
  const taken: Message[] = [];
  let position = 0;
  for (const message of source) {
    if (position++ < skipped) continue;
    if (taken.push(message) === count) break;
  }
  return taken;
}

function pageLink(path: string, query: URLSearchParams, pageSize: number, page: number, pageToken: string): string {
  const link = new URLSearchParams();
  for (const name of FILTERS) {
    const value = query.get(name);
    if (value !== null && value !== '') link.set(name, value);
  }
  link.set('PageSize', String(pageSize));
  link.set('Page', String(page));
  if (pageToken !== '') link.set('PageToken', pageToken);
  return `${path}?${link.toString()}`;
}
