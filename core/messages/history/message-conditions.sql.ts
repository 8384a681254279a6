import type { Condition } from '../../platform/database/numbered-rows.js';
import { parseRecipient } from '../../rules/phone-numbers.js';

/** Finds the other side's phone number: a whole one by the index, else the digits as typed, anywhere or at the start after '+'. */
export function numberCondition(column: 'recipient' | 'sender', typed: string): Condition {
  const whole = parseRecipient(typed);
  // An index of each account's recipients would slow every charge down; the index of all recipients finds the rows.
  const index = column === 'sender' ? 'numbers' : 'rows';
  if (whole) return { sql: (value) => `${column} = ${value}`, value: whole.e164, index };
  const digits = `${typed.trim().startsWith('+') ? '+' : ''}${typed.replaceAll(/\D/g, '')}`;
  return { sql: (value) => `strpos(${column}, ${value}) > 0`, value: digits, index: 'none' };
}

// The database's collation may handle only ASCII letters; ICU handles all scripts.
const lower = (text: string) => `lower(${text} COLLATE "und-x-icu")`;

/** Finds a text anywhere in the message, ignoring case. No character is a wildcard. */
export function textCondition(text: string): Condition {
  return {
    sql: (value) => `strpos(${lower('body')}, (SELECT ${lower(`${value}::text`)})) > 0`,
    value: text,
    index: 'none',
  };
}
