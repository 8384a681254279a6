import type { DocsResult } from '../site/docs-index.js';

const EXCERPT_CHARACTERS = 150;
/** Characters that an excerpt shows before the first word that was found, at most. */
const LEAD_CHARACTERS = 60;

/** A piece of a text; the pieces of a text, put together, are the text. */
export interface Piece {
  readonly text: string;
  readonly isFound: boolean;
}

/**
 * What separates words in MiniSearch (`SPACE_OR_PUNCTUATION`), so that terms of its index are
 * exactly the words here.
 */
const SEPARATORS = /([\n\r\p{Z}\p{P}]+)/u;

/**
 * Splits a text where the found terms stand in it. Terms come from the index and are compared,
 * never made part of a regular expression: they hold any character that is neither white space nor
 * punctuation, such as `=`, `<` and `` ` ``.
 */
export function markedPieces(text: string, terms: readonly string[]): readonly Piece[] {
  const found = new Set(terms);
  const pieces: Piece[] = [];
  let plain = '';
  for (const word of text.split(SEPARATORS)) {
    if (!found.has(word.toLowerCase())) {
      plain += word;
      continue;
    }
    if (plain !== '') pieces.push({ text: plain, isFound: false });
    pieces.push({ text: word, isFound: true });
    plain = '';
  }
  return plain === '' ? pieces : [...pieces, { text: plain, isFound: false }];
}

/**
 * The part of a result's text around the first term that was found; its beginning when only the
 * heading or code has one.
 */
export function excerptOf({ text, terms }: Pick<DocsResult, 'text' | 'terms'>): string {
  const [first, second] = markedPieces(text, terms);
  const at = first && !first.isFound && second ? first.text.length : 0;
  const start = at > LEAD_CHARACTERS ? text.lastIndexOf(' ', at - LEAD_CHARACTERS) + 1 : 0;
  const end = start + EXCERPT_CHARACTERS;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}
