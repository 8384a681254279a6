import type { DocsResult } from '../site/docs-index.js';

const EXCERPT_CHARACTERS = 150;
/** Maximum of characters before the first found word of an excerpt. */
const LEAD_CHARACTERS = 60;

/** A piece of a text; joined pieces are the whole text. */
export interface Piece {
  readonly text: string;
  readonly isFound: boolean;
}

/**
 * Word separators of MiniSearch (`SPACE_OR_PUNCTUATION`), so that the terms of its index are the
 * words here.
 */
const SEPARATORS = /([\n\r\p{Z}\p{P}]+)/u;

/**
 * Splits a text at the found terms. Terms come from the index and are compared, never part of a
 * regular expression: they hold any character except white space and punctuation, such as `=`, `<`
 * and `` ` ``.
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
 * The part of a result's text around the first found term; the beginning when only the heading or
 * code has a term.
 */
export function excerptOf({ text, terms }: Pick<DocsResult, 'text' | 'terms'>): string {
  const [first, second] = markedPieces(text, terms);
  const at = first && !first.isFound && second ? first.text.length : 0;
  const start = at > LEAD_CHARACTERS ? text.lastIndexOf(' ', at - LEAD_CHARACTERS) + 1 : 0;
  const end = start + EXCERPT_CHARACTERS;
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? '…' : ''}`;
}
