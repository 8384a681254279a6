import type { Condition } from '../../platform/database/numbered-rows.js';
import { parseRecipient } from '../../rules/phone-numbers.js';

/** The other side's phone number: a whole one by the index; else the digits as typed, anywhere, or at the start after a '+'. */
export function numberCondition(column: 'recipient' | 'sender', typed: string): Condition {
  const whole = parseRecipient(typed);
  // An index of an account's own recipients would cost every charge; the one of all recipients finds the rows.
  const index = column === 'sender' ? 'numbers' : 'rows';
  if (whole) return { sql: (value) => `${column} = ${value}`, value: whole.e164, index };
  const digits = `${typed.trim().startsWith('+') ? '+' : ''}${typed.replaceAll(/\D/g, '')}`;
  return { sql: (value) => `strpos(${column}, ${value}) > 0`, value: digits, index: 'none' };
}

// The database's own collation may know ASCII letters alone; ICU knows the capitals of all writing.
const lower = (text: string) => `lower(${text} COLLATE "und-x-icu")`;

/** A text anywhere in the message, whatever its letters' case. No character is a wildcard. */
export function textCondition(text: string): Condition {
  return {
    sql: (value) => `strpos(${lower('body')}, (SELECT ${lower(`${value}::text`)})) > 0`,
    value: text,
    index: 'none',
  };
}
