import { setImmediate as nextTurn } from 'node:timers/promises';
import { templateVariable, type RejectedItem, type SendBulkBody } from '#contract/bulk.js';
import { publicCode } from '#contract/errors.js';
import { limits } from '#contract/limits.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { isSendableText } from '../../rules/message-text.js';
import { quoteSms, type Quote } from '../send/quote.js';
import type { SendOptions } from '../send/send-message.js';

/** Items priced in one turn of the event loop, about 5 ms: other requests go on between them. */
const ITEMS_PER_TURN = 200;

/** An item that the rules accept; `to` as it was sent, `body` as it is sent on. */
export interface PricedItem {
  readonly index: number;
  readonly to: string;
  readonly reference: string | undefined;
  readonly quote: Quote;
  readonly body: string;
}

export interface PricedBulk {
  readonly items: readonly PricedItem[];
  /** Refused by the rules. */
  readonly rejected: readonly RejectedItem[];
  /** The same number and text as an earlier item. */
  readonly duplicates: readonly RejectedItem[];
}

/**
 * Fills in the template, applies the rules to each item and finds duplicates. Throws `invalid_request` for a body with neither
 * or both of `messages` and `recipients`.
 */
export async function priceBulk(body: SendBulkBody, { encoding }: SendOptions): Promise<PricedBulk> {
  const texts = textsOf(body);
  const items: PricedItem[] = [];
  const rejected: RejectedItem[] = [];
  const duplicates: RejectedItem[] = [];
  const firsts = new Map<string, number>();
  for (const [index, { to, reference, text }] of texts.entries()) {
    if (index > 0 && index % ITEMS_PER_TURN === 0) await nextTurn();
    const quoted = text instanceof DomainError ? text : quoteItem(to, text, reference, encoding);
    if (quoted instanceof DomainError) {
      rejected.push(rejectedItem(index, to, quoted));
      continue;
    }
    const content = `${quoted.quote.recipient} ${quoted.body}`;
    const first = firsts.get(content);
    if (first === undefined) {
      firsts.set(content, index);
      items.push({ index, to, reference: reference || undefined, ...quoted });
    } else {
      const detail = `Item ${first} has the same number and text, which is sent once.`;
      duplicates.push({ index, to, code: 'duplicate', detail });
    }
  }
  return { items, rejected, duplicates };
}

export function rejectedItem(index: number, to: string, { code, detail }: DomainError): RejectedItem {
  return { index, to, code: publicCode(code), detail };
}

interface ItemText {
  readonly to: string;
  readonly reference: string;
  readonly text: string | DomainError;
}

function textsOf({ messages, message, recipients }: SendBulkBody): ItemText[] {
  if (messages && !recipients && !message)
    return messages.map((item) => ({ to: item.to ?? '', reference: item.reference ?? '', text: item.message ?? '' }));
  if (!messages && recipients && message)
    return recipients.map((recipient) => ({
      to: recipient.to ?? '',
      reference: recipient.reference ?? '',
      text: filledIn(message, recipient),
    }));
  throw new DomainError('invalid_request', 'Send either "messages", or "message" and "recipients".');
}

function quoteItem(to: string, text: string, reference: string, encoding: SendOptions['encoding']) {
  if (to === '' || text === '') return new DomainError('missing_fields', 'Each item needs a number and a text.');
  if (![to, text, reference].every(isSendableText))
    return new DomainError('invalid_request', 'The item contains a NUL character or half a surrogate pair.');
  if (reference.length > limits.referenceCharactersMax) {
    const detail = `The reference may have at most ${limits.referenceCharactersMax} characters.`;
    return new DomainError('invalid_request', detail);
  }
  return quoteSms(to, text, encoding);
}

/** Replaces each `{{name}}` by the recipient's field of that name, a text or a number. */
function filledIn(template: string, fields: Readonly<Record<string, unknown>>): string | DomainError {
  const missing = new Set<string>();
  const text = template.replaceAll(templateVariable, (variable, name: string) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    missing.add(variable);
    return '';
  });
  if (missing.size === 0) return text;
  const detail = `The recipient has no text or number for ${[...missing].join(', ')}.`;
  return new DomainError('variable_missing', detail);
}

/** What the price of a bulk is for. */
export function contentOf(items: readonly PricedItem[]): readonly unknown[] {
  return ['bulk', ...items.map(({ quote: { recipient }, body }) => [recipient, body])];
}

/** The price of all items in credits. */
export function totalOf(items: readonly PricedItem[]): number {
  return items.reduce((sum, { quote }) => sum + quote.price, 0);
}

/** The items at no more than a promised total: the last ones become cheaper, none free. */
export function cappedAt(total: number, items: readonly PricedItem[]): PricedItem[] {
  let excess = totalOf(items) - total;
  return items
    .toReversed()
    .map((item) => {
      const cut = Math.max(0, Math.min(excess, item.quote.price - 1));
      excess -= cut;
      return cut === 0 ? item : { ...item, quote: { ...item.quote, price: item.quote.price - cut } };
    })
    .reverse();
}
