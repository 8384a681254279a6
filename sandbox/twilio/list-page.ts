import { z } from 'zod';
import { TwilioError } from './twilio-error.js';

const PAGE_SIZE_DEFAULT = 50;
const PAGE_SIZE_MAX = 1000;
const DAY_SECONDS = 86_400;

/** A number in a query, where an unescaped plus sign arrives as a space. */
export const queryNumber = z.string().transform((text) => text.replace(/^(whatsapp:)? (?=\d)/, '$1+'));

/** A date: first and last second. A date without a time is the whole UTC day. */
export const instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}/)
  .transform((text) => ({ first: Math.floor(Date.parse(text) / 1000), isDay: text.length === 10 }))
  .refine(({ first }) => !Number.isNaN(first))
  .transform(({ first, isDay }) => ({ first, last: isDay ? first + DAY_SECONDS - 1 : first }));
type Instant = z.output<typeof instant>;

/** The parameters of a list that choose the page. */
export const pageQuery = {
  PageSize: z.coerce.number().int().min(1).default(PAGE_SIZE_DEFAULT),
  Page: z.coerce.number().int().min(0).default(0),
  PageToken: z.string().optional(),
};
interface PageQuery {
  readonly PageSize: number;
  readonly Page: number;
  readonly PageToken?: string | undefined;
}

/** Parses the query of a list, in which empty parameters count as missing. Throws TwilioError. */
export function parseListQuery<Schema extends z.ZodType>(schema: Schema, query: URLSearchParams): z.output<Schema> {
  const parsed = schema.safeParse(givenOf(query));
  if (parsed.success) return parsed.data;
  const name = parsed.error.issues[0]?.path.join('.');
  throw new TwilioError(20001, `Parameter '${name}' is not valid`);
}

/** First and last second of the three forms of a date filter. */
export function boundsOf(on?: Instant, after?: Instant, before?: Instant): { earliest: number; latest: number } {
  return {
    earliest: Math.max(on?.first ?? -Infinity, after?.first ?? -Infinity),
    latest: Math.min(on?.last ?? Infinity, before?.last ?? Infinity),
  };
}

/** One page of a list. Links are relative to the host. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly links: Record<string, string | number | null>;
}

/** Takes a page from matching items, newest first. Page tokens are `PA` and the sid before the page. */
export function pageOf<Item extends { readonly sid: string }>(
  matching: Iterable<Item>,
  query: URLSearchParams,
  { Page: page, PageSize: wanted, PageToken: token }: PageQuery,
  path: string,
): ListPage<Item> {
  const pageSize = Math.min(wanted, PAGE_SIZE_MAX);
  const found: Item[] = [];
  for (const item of matching) if (found.push(item) > pageSize) break;
  const items = found.slice(0, pageSize);
  const link = (target: number, pageToken: string) => {
    const { Page: _page, PageToken: _token, ...filters } = givenOf(query);
    const paging = { PageSize: String(pageSize), Page: String(target), PageToken: pageToken };
    return `${path}?${new URLSearchParams({ ...filters, ...paging })}`;
  };
  return {
    items,
    links: {
      first_page_uri: link(0, ''),
      next_page_uri: found.length > pageSize ? link(page + 1, `PA${items.at(-1)?.sid}`) : null,
      previous_page_uri: null,
      uri: link(page, token ?? ''),
      page,
      page_size: pageSize,
      start: page * pageSize,
      end: page * pageSize + Math.max(items.length - 1, 0),
    },
  };
}

/** The sequence before which a page begins. Throws TwilioError for a token of no item. */
export function cursorOf(
  get: (sid: string) => { readonly sequence: number } | undefined,
  token: string | undefined,
): number {
  if (token === undefined) return Infinity;
  const item = get(token.replace(/^PA/, ''));
  if (item === undefined) throw new TwilioError(20001, `Invalid PageToken: ${token}`);
  return item.sequence;
}

function givenOf(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...query].filter(([, value]) => value !== ''));
}
