import { limits } from '#contract/limits.js';
import { gsm7SeptetsOf } from './gsm7.js';

/** As far as a message that is sent can reach. */
const LOOKED_AT_UNITS = limits.messageSegmentsMax * limits.gsm7Characters.part;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** The first few different characters, as people see them, that GSM-7 does not hold. None for a text that is GSM-7. */
export function unicodeCharactersIn(text: string): string[] {
  let start = 0;
  while (start < text.length && gsm7SeptetsOf(text.charCodeAt(start)) > 0) start += 1;
  const found = new Set<string>();
  // A mark that stands behind a plain letter is one character with it.
  const from = Math.max(0, start - 1);
  for (const { segment } of graphemes.segment(text.slice(from, from + LOOKED_AT_UNITS))) {
    if (isGsm7(segment)) continue;
    found.add(segment);
    if (found.size === limits.quoteUnicodeCharactersMax) break;
  }
  return [...found];
}

function isGsm7(text: string): boolean {
  return Array.from({ length: text.length }, (_, index) => text.charCodeAt(index)).every(
    (unit) => gsm7SeptetsOf(unit) > 0,
  );
}
