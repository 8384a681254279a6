import { pasted, plainTyped } from '#contract/characters.js';
import type { Condition } from '../../platform/database/numbered-rows.js';
import type { Postgres } from '../../platform/database/postgres.js';
import { batchIdFromPublic, messageIdFromPublic, otpIdFromPublic } from '../../rules/ids.js';
import { storedRecipientsOf } from '../../rules/otp-channels.js';
import { parseRecipient, searchedDigits } from '../../rules/phone-numbers.js';

// The database's collation may handle only ASCII letters; ICU handles all scripts.
const lower = (text: string) => `lower(${text} COLLATE "und-x-icu")`;

/** Ignores case; no character is a wildcard. */
const contains = (column: string, value: string) => `strpos(${lower(column)}, (SELECT ${lower(`${value}::text`)})) > 0`;

/** SQL: the text `value` is anywhere in the column `body`. */
export const bodyHolds = (value: string) => contains('body', value);

/** Digits with the separators that people write between them. */
const NUMBER = /^\+?[\d\s().-]*\d[\d\s().-]*$/;

/**
 * Finds the other side's phone number: a whole number by the index, else the typed digits, anywhere
 * or at the start after '+'.
 */
export function numberCondition(column: 'recipient' | 'sender', typed: string): Condition {
  const whole = parseRecipient(typed);
  return whole ? wholeNumber(column, whole.e164) : partOfNumber(column, typed);
}

function wholeNumber(column: 'recipient' | 'sender', e164: string): Condition {
  // An index of each account's recipients would slow every charge down; the index of all recipients
  // finds the rows.
  // A one-time password by another channel has its number with a prefix.
  if (column === 'recipient')
    return { sql: (value) => `recipient = ANY (${value}::text[])`, value: storedRecipientsOf(e164), index: 'rows' };
  return { sql: (value) => `sender = ${value}`, value: e164, index: 'numbers' };
}

function partOfNumber(column: 'recipient' | 'sender', typed: string): Condition {
  return { sql: (value) => `strpos(${column}, ${value}) > 0`, value: searchedDigits(typed), index: 'none' };
}

/** Finds the message with this id, else a text anywhere in the message. */
export function textCondition(text: string): Condition {
  const id = messageIdFromPublic(pasted(text));
  if (id) return idCondition(id);
  return { sql: bodyHolds, value: text, index: 'none' };
}

function idCondition(id: string): Condition {
  return { sql: (value) => `id = ${value}`, value: id, index: 'rows' };
}

/** The messages of a bulk have numbers that follow each other. */
function batchCondition(id: string): Condition {
  const batch = (value: string) => `FROM batches b WHERE b.account_id = $1 AND b.id = ${value}`;
  return {
    sql: (value) =>
      `number >= (SELECT b.first_number ${batch(value)}) ` +
      `AND number < (SELECT b.first_number + b.messages ${batch(value)})`,
    value: id,
    index: 'numbers',
  };
}

/** Fields whose index contains the text. */
export interface IndexedMatch {
  readonly isReference: boolean;
  readonly isRecipient: boolean;
}

/** Parameters: account, reference, recipients under which a whole number is stored, or null. */
export const indexedMatchStatement = {
  name: 'sent-search-2',
  text: `
SELECT EXISTS (SELECT FROM messages WHERE account_id = $1 AND reference = $2) AS "isReference",
  EXISTS (SELECT FROM messages WHERE recipient = ANY ($3::text[]) AND account_id = $1) AS "isRecipient"`,
} as const;

/** See `sentFilter` in contract/histories. */
export async function sentSearch(postgres: Postgres, accountId: string, search: string): Promise<Condition> {
  const typed = pasted(search);
  // A one-time password has the id of its first message.
  const id = messageIdFromPublic(typed) ?? otpIdFromPublic(typed);
  if (id) return idCondition(id);
  const batchId = batchIdFromPublic(typed);
  if (batchId) return batchCondition(batchId);
  const whole = parseRecipient(typed)?.e164;
  const [match] = await postgres.query<IndexedMatch>(indexedMatchStatement, [
    accountId,
    typed,
    whole === undefined ? null : storedRecipientsOf(whole),
  ]);
  if (match?.isReference) return { sql: (value) => `reference = ${value}`, value: typed, index: 'rows' };
  if (match?.isRecipient && whole !== undefined) return wholeNumber('recipient', whole);
  return inRow(['body', 'reference'], 'recipient', typed);
}

/** See `receivedFilter` in contract/histories. */
export function receivedSearch(search: string): Condition {
  const typed = pasted(search);
  const id = messageIdFromPublic(typed);
  if (id) return idCondition(id);
  const whole = parseRecipient(typed)?.e164;
  return whole === undefined ? inRow(['body'], 'sender', typed) : wholeNumber('sender', whole);
}

/** Matches rows with the typed text in a text or, if it is made of digits, in the number. */
function inRow(texts: readonly string[], number: 'recipient' | 'sender', typed: string): Condition {
  const plain = plainTyped(typed);
  const digits = NUMBER.test(plain) ? searchedDigits(plain) : null;
  return {
    sql: (value) => {
      const inTexts = texts.map((text) => contains(text, `(${value}::text[])[1]`));
      return `(${[...inTexts, `strpos(${number}, (${value}::text[])[2]) > 0`].join(' OR ')})`;
    },
    value: [typed, digits],
    index: 'none',
  };
}
