import { z } from 'zod';
import type { Message } from '../carriers/message.js';
import { type MessageStore, older } from '../carriers/message-store.js';
import { TwilioError } from './twilio-error.js';

const PAGE_SIZE_DEFAULT = 50;
const PAGE_SIZE_MAX = 1000;
const DAY_SECONDS = 86_400;

// An unescaped plus sign in a query arrives as a space.
const number = z.string().transform((text) => text.replace(/^ (?=\d)/, '+'));

/** A date_sent: first and last second. A date without a time is the whole UTC day. */
const instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}/)
  .transform((text) => ({ first: Math.floor(Date.parse(text) / 1000), isDay: text.length === 10 }))
  .refine(({ first }) => !Number.isNaN(first))
  .transform(({ first, isDay }) => ({ first, last: isDay ? first + DAY_SECONDS - 1 : first }));

const listQuery = z.object({
  To: number.optional(),
  From: number.optional(),
  DateSent: instant.optional(),
  'DateSent>': instant.optional(),
  'DateSent<': instant.optional(),
  PageSize: z.coerce.number().int().min(1).default(PAGE_SIZE_DEFAULT),
  Page: z.coerce.number().int().min(0).default(0),
  PageToken: z.string().optional(),
});
type ListQuery = z.output<typeof listQuery>;

/** One page of Twilio's message list. Links are relative to the host. */
interface MessagePage {
  readonly messages: readonly Message[];
  readonly links: Record<string, string | number | null>;
}

/**
 * Lists messages newest first, filtered by To, From and the three forms of DateSent. Throws
 * TwilioError.
 */
export function listMessages(store: MessageStore, query: URLSearchParams, path: string): MessagePage {
  const given = Object.fromEntries([...query].filter(([, value]) => value !== ''));
  const parsed = listQuery.safeParse(given);
  if (!parsed.success) {
    const name = parsed.error.issues[0]?.path.join('.');
    throw new TwilioError(20001, `Parameter '${name}' is not valid`);
  }
  const { Page: page, PageToken: token } = parsed.data;
  const pageSize = Math.min(parsed.data.PageSize, PAGE_SIZE_MAX);
  const found: Message[] = [];
  for (const message of matching(store, parsed.data, cursorOf(store, token))) {
    if (found.push(message) > pageSize) break;
  }
  const messages = found.slice(0, pageSize);
  const link = (target: number, pageToken: string) => {
    const { Page: _page, PageToken: _token, ...filters } = given;
    const paging = { PageSize: String(pageSize), Page: String(target), PageToken: pageToken };
    return `${path}?${new URLSearchParams({ ...filters, ...paging })}`;
  };
  return {
    messages,
    links: {
      first_page_uri: link(0, ''),
      next_page_uri: found.length > pageSize ? link(page + 1, `PA${messages.at(-1)?.sid}`) : null,
      previous_page_uri: null,
      uri: link(page, token ?? ''),
      page,
      page_size: pageSize,
      start: page * pageSize,
      end: page * pageSize + Math.max(messages.length - 1, 0),
    },
  };
}

function* matching(store: MessageStore, query: ListQuery, cursor: number): Generator<Message> {
  const { To: to, From: from, DateSent: on, 'DateSent>': after, 'DateSent<': before } = query;
  const earliest = Math.max(on?.first ?? -Infinity, after?.first ?? -Infinity);
  const latest = Math.min(on?.last ?? Infinity, before?.last ?? Infinity);
  for (const message of older(to === undefined ? store.all : store.of(to), cursor)) {
    const second = Math.floor((message.sentAtMs ?? message.createdAtMs) / 1000);
    if (message.carrier !== 'twilio') continue;
    const isFound = (to ?? message.to) === message.to && (from ?? message.from) === message.from;
    if (isFound && second >= earliest && second <= latest) yield message;
  }
}

/** A page token is `PA` and the sid of the message before the page. */
function cursorOf(store: MessageStore, token: string | undefined): number {
  if (token === undefined) return Infinity;
  const message = store.get(token.replace(/^PA/, ''));
  if (message === undefined) throw new TwilioError(20001, `Invalid PageToken: ${token}`);
  return message.sequence;
}
