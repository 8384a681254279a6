import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  bulkFileFields,
  misplacedFiles,
  templateVariable,
  type RejectedItem,
  type SendBulkBody,
} from '#contract/bulk.js';
import { publicCode } from '#contract/errors.js';
import { limits } from '#contract/limits.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { type PricedMessage, textTooLong } from '../send/price.js';
import type { FormedMessage, MessageMediaOptions } from '../send/price-message.js';

/** Items priced in one turn of the event loop, about 5 ms: other requests run between turns. */
const ITEMS_PER_TURN = 200;
/** Characters of the texts of one turn: long texts take longer to search for URLs than to count. */
const CHARACTERS_PER_TURN = 40_000;

/** An item that the rules accept; `to` as it was sent. */
export interface PricedItem extends PricedMessage {
  readonly as: FormedMessage['as'];
  /** The text without links. */
  readonly text: string;
  readonly index: number;
  readonly to: string;
  readonly reference: string | undefined;
}

export interface PricedBulk {
  readonly items: readonly PricedItem[];
  /** Items that the rules refuse. */
  readonly rejected: readonly RejectedItem[];
  /** Items with the number and text of an earlier item. */
  readonly duplicates: readonly RejectedItem[];
}

interface ItemRules {
  /** Whether an item needs a text. */
  readonly needsText: boolean;
  /** Prices an item by the rules. */
  readonly priceOf: (to: string, text: string) => FormedMessage | DomainError;
}

/**
 * Fills in the template for one item after the other, applies the rules to each and finds
 * duplicates. A text stops at `limits.textCharactersMax`, so no text takes more memory than ten
 * segments. Throws `invalid_request` for a body with neither or both of `messages` and
 * `recipients`, and for files of a single recipient.
 */
export async function pricedItems(body: SendBulkBody, rules: ItemRules): Promise<PricedBulk> {
  const items: PricedItem[] = [];
  const rejected: RejectedItem[] = [];
  const duplicates: RejectedItem[] = [];
  const firsts = new Map<string, number>();
  let [index, itemsOfTurn, charactersOfTurn] = [-1, 0, 0];
  for (const { to, reference, text } of textsOf(body, rules.needsText)) {
    index += 1;
    itemsOfTurn += 1;
    charactersOfTurn += text instanceof DomainError ? (body.message?.length ?? 0) : text.length;
    if (itemsOfTurn > ITEMS_PER_TURN || charactersOfTurn > CHARACTERS_PER_TURN) {
      [itemsOfTurn, charactersOfTurn] = [0, 0];
      await nextTurn();
    }
    const priced = text instanceof DomainError ? text : priceOfItem({ to, text, reference }, rules);
    if (priced instanceof DomainError) {
      rejected.push(rejectedItem(index, to, priced));
      continue;
    }
    const { as, message } = priced;
    const content = `${message.price.recipient} ${message.body}`;
    const first = firsts.get(content);
    if (first === undefined) {
      firsts.set(content, index);
      items.push({ as, text: priced.text, index, to, reference: reference || undefined, ...message });
    } else {
      const detail = `Item ${first} has the same number and text, which is sent once.`;
      duplicates.push({ index, to, code: 'duplicate', detail });
    }
  }
  return { items, rejected, duplicates };
}

/** Limits of the number and the reason of a rejected item: 10,000 long texts would be megabytes. */
const SHOWN_NUMBER_CHARACTERS_MAX = 64;
const SHOWN_DETAIL_CHARACTERS_MAX = 200;

export function rejectedItem(index: number, to: string, { code, detail }: DomainError): RejectedItem {
  const shown =
    detail.length > SHOWN_DETAIL_CHARACTERS_MAX ? `${detail.slice(0, SHOWN_DETAIL_CHARACTERS_MAX)}…` : detail;
  return { index, to: to.slice(0, SHOWN_NUMBER_CHARACTERS_MAX), code: publicCode(code), detail: shown };
}

interface ItemText {
  readonly to: string;
  readonly reference: string;
  readonly text: string | DomainError;
}

/** Generates the texts of a bulk one by one. */
function* textsOf({ messages, message, recipients }: SendBulkBody, needsText: boolean): Generator<ItemText> {
  if (messages && !recipients && !message) {
    for (const item of messages) yield { to: item.to ?? '', reference: item.reference ?? '', text: item.message ?? '' };
  } else if (!messages && recipients && (message || !needsText)) {
    const template = partsOf(message ?? '');
    refuseFilesIn(recipients, template);
    for (const recipient of recipients)
      yield { to: recipient.to ?? '', reference: recipient.reference ?? '', text: filledIn(template, recipient) };
  } else throw new DomainError('invalid_request', 'Send either "messages", or "message" and "recipients".');
}

/** Files of a single recipient would be dropped silently, unless they are a template variable. */
function refuseFilesIn(recipients: NonNullable<SendBulkBody['recipients']>, template: readonly TemplatePart[]): void {
  const names = bulkFileFields.filter((name) => !template.some((part) => 'name' in part && part.name === name));
  for (const [index, recipient] of recipients.entries())
    for (const name of names)
      if (Object.hasOwn(recipient, name) && recipient[name] !== null)
        throw new DomainError('invalid_request', `recipients.${index}.${name}: ${misplacedFiles('recipients')}.`);
}

function priceOfItem(
  { to, text, reference }: { to: string; text: string; reference: string },
  { needsText, priceOf }: ItemRules,
): FormedMessage | DomainError {
  if (to === '') return new DomainError('missing_fields', `Each item needs a number${needsText ? ' and a text' : ''}.`);
  if (needsText && text === '') return new DomainError('missing_fields', 'Each item needs a number and a text.');
  if (reference.length > limits.referenceCharactersMax) {
    const detail = `The reference may have at most ${limits.referenceCharactersMax} characters.`;
    return new DomainError('invalid_request', detail);
  }
  return priceOf(to, text);
}

/** A piece of a template: text, or the name of a variable. */
type TemplatePart = { readonly text: string } | { readonly name: string };

/** Maximum of missing variables that an error names. */
const MISSING_SHOWN_MAX = 5;
const NAME_SHOWN_CHARACTERS_MAX = 30;

/** Splits a template at its variables. */
export function partsOf(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const found of template.matchAll(templateVariable)) {
    const [variable, name = ''] = found;
    if (found.index > end) parts.push({ text: template.slice(end, found.index) });
    parts.push({ name });
    end = found.index + variable.length;
  }
  if (end < template.length) parts.push({ text: template.slice(end) });
  return parts;
}

/**
 * Puts the recipient's fields, texts or numbers, in the places of the variables. Returns
 * `variable_missing` for a variable without a field, and `message_too_long` once the text is longer
 * than any message.
 */
export function filledIn(
  template: readonly TemplatePart[],
  fields: Readonly<Record<string, unknown>>,
): string | DomainError {
  const missing = new Set<string>();
  let isMissing = false;
  let text = '';
  for (const part of template) {
    if ('text' in part) text += part.text;
    else {
      const value = Object.hasOwn(fields, part.name) ? fields[part.name] : undefined;
      if (typeof value === 'string' || typeof value === 'number') text += String(value);
      else {
        isMissing = true;
        if (missing.size < MISSING_SHOWN_MAX) missing.add(`{{${part.name.slice(0, NAME_SHOWN_CHARACTERS_MAX)}}}`);
      }
    }
    if (text.length > limits.textCharactersMax) return textTooLong(text.length);
  }
  if (!isMissing) return text;
  const detail = `The recipient has no text or number for ${[...missing].join(', ')}.`;
  return new DomainError('variable_missing', detail);
}

/** Content that the price of a bulk applies to. */
export function contentOf(items: readonly PricedItem[], media: MessageMediaOptions | undefined): readonly unknown[] {
  const texts = items.map(({ price: { recipient }, text }) => [recipient, text]);
  return media ? ['bulk with files', media.references, ...texts] : ['bulk', ...texts];
}

/** The price of all items in credits. */
export function totalOf(items: readonly PricedItem[]): number {
  return items.reduce((sum, { price }) => sum + price.credits, 0);
}

/**
 * Returns the items at a total of at most the promise: the last items become cheaper, none free.
 */
export function cappedAt(total: number, items: readonly PricedItem[]): PricedItem[] {
  let excess = totalOf(items) - total;
  return items
    .toReversed()
    .map((item) => {
      const cut = Math.max(0, Math.min(excess, item.price.credits - 1));
      excess -= cut;
      return cut === 0 ? item : { ...item, price: { ...item.price, credits: item.price.credits - cut } };
    })
    .reverse();
}

/**
 * The refusal of a whole bulk; it lists the rejected items. `isPartlySendable`: `partial` would
 * accept the other items.
 */
export function bulkRejected(
  rejected: readonly RejectedItem[],
  { partial, isPartlySendable }: { readonly partial: boolean; readonly isPartlySendable: boolean },
): DomainError {
  const items = rejected.length === 1 ? 'An item was' : `${rejected.length} items were`;
  const detail =
    `${items} rejected, so nothing was sent. You were not charged. Correct the request` +
    (partial ? '.' : ', or send it with "partial": true.');
  const fix = !partial && isPartlySendable ? { partial: true } : undefined;
  return new DomainError('bulk_rejected', detail, { facts: { rejected }, fix });
}
