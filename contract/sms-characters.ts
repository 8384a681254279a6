import { normalized, withoutInvisible, withoutStrayInvisible } from './characters.js';
import { limits } from './limits.js';

// 3GPP TS 23.038, sections 6.2.1 (default alphabet) and 6.2.1.1 (extension table). In the extension
// table 0x0A is the page break (form feed); 0x1B in the default alphabet is the escape itself,
// which a text cannot contain.
/** Characters in the order of their codes, without 0x1B. */
export const DEFAULT_ALPHABET =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
export const EXTENSION_TABLE = '\f^{}\\[~]|€';

/**
 * Character code → septets; 0 for a character outside the alphabet, whose highest character is '€'.
 */
const septetsByCode = new Uint8Array('€'.charCodeAt(0) + 1);
for (const character of DEFAULT_ALPHABET) septetsByCode[character.charCodeAt(0)] = 1;
for (const character of EXTENSION_TABLE) septetsByCode[character.charCodeAt(0)] = 2;

/**
 * Returns the septets of a UTF-16 code unit in GSM-7: 1, or 2 with its escape, or 0 for a character
 * outside the alphabet.
 */
export function gsm7SeptetsOf(codeUnit: number): number {
  return septetsByCode[codeUnit] ?? 0;
}

/** Length of the longest message that can be sent. */
const TEXT_UNITS_MAX = limits.messageSegmentsMax * limits.gsm7Characters.part;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the first few distinct graphemes outside GSM-7; an empty list for a GSM-7 text. */
export function unicodeCharactersIn(text: string): string[] {
  let start = 0;
  while (start < text.length && gsm7SeptetsOf(text.charCodeAt(start)) > 0) start += 1;
  const found = new Set<string>();
  // A combining mark forms one grapheme with the plain letter before it.
  const from = Math.max(0, start - 1);
  for (const { segment } of graphemes.segment(text.slice(from, from + TEXT_UNITS_MAX))) {
    if (isGsm7(segment)) continue;
    found.add(segment);
    if (found.size === limits.quoteUnicodeCharactersMax) break;
  }
  return [...found];
}

/** Returns whether the GSM-7 alphabet contains every character of the text. */
export function isGsm7(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (gsm7SeptetsOf(text.charCodeAt(index)) === 0) return false;
  return true;
}

/**
 * Typographic characters by their plain replacement: quotes, dashes, bullets and the like
 * (https://www.twilio.com/docs/messaging/services#smart-encoding).
 */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/[\u00ab\u00bb\u201c-\u201f\u2033\u2036\u275d\u275e\u301d-\u301f\uff02]/gu, '"'],
  [/[\u0060\u00b4\u02b9-\u02bd\u02c8\u02ca\u02cb\u2018-\u201b\u2032\u2035\u2039\u203a\u275b\u275c\uff07]/gu, "'"],
  [/[\u00ad\u2010-\u2015\u2043\u2212\u23af\u2e3a\u2e3b\ufe58\ufe63\uff0d]/gu, '-'],
  [/[\u2022\u2023\u2219\u25cf\u204e\u2217]/gu, '*'],
  [/[\u2044\u2215\u29f8]/gu, '/'],
  [/[\u2038\u02c6]/gu, '^'],
  [/[\u02dc\u223c]/gu, '~'],
];

const ELLIPSIS = /\u2026/gu;
const SPACE = /[\t\p{Zs}]/gu;
const LINE_END = /\u2028|\u2029|\u0085/gu;

/** Replaces typographic characters and removes invisible ones. */
export function plainTypography(text: string): string {
  return withoutInvisible(typewritten(text));
}

/**
 * Bounds the work: a text of four times the longest message stays too long when its accents are
 * composed.
 */
const SMART_UNITS_MAX = 4 * TEXT_UNITS_MAX;

/**
 * Returns the text with GSM-7 equivalents of typographic quotes, dashes, bullets, spaces and
 * ellipses, without invisible characters, and with accents as part of their letters. A text that
 * stays UCS-2 keeps the invisible characters that change how it is read
 * ({@link withoutStrayInvisible}): an emoji family stays a family. A text of more than 6,120 UTF-16
 * units stays as it is, and is too long to be sent.
 */
export function smartText(text: string): string {
  if (text.length > SMART_UNITS_MAX) return text;
  const plain = simplified(withoutInvisible(text));
  if (plain !== '' && isGsm7(plain)) return plain;
  // Runs again, because a joiner may now follow a plain quotation mark.
  return withoutStrayInvisible(simplified(withoutStrayInvisible(text))) || text;
}

function simplified(text: string): string {
  return typewritten(normalized(text, 'NFC')).replace(ELLIPSIS, '...').replace(SPACE, ' ').replace(LINE_END, '\n');
}

function typewritten(text: string): string {
  return replacements.reduce((rest, [from, to]) => rest.replace(from, to), text);
}
