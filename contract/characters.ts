/**
 * Characters that are shown as nothing: format characters, variation selectors and all others that
 * Unicode calls ignorable.
 */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const INVISIBLE_OR_SPACE = /^[\s\u0085\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;
const DIGIT = /^\p{Nd}$/u;
const DIGITS_AND_FULL_WIDTH = /[\p{Nd}\uff01-\uff5e]/gu;
const GROUPING = /[\s\u0085\p{Pd}\u2212]/gu;
const FULL_WIDTH_OFFSET = 0xfee0;
/**
 * More marks than any writing system uses on one letter:
 * https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format
 */
const LONG_RUN_OF_MARKS = /\p{M}{30}(?=\p{M})/gu;
/** Ends a run of combining marks, and is shown as nothing. */
const COMBINING_GRAPHEME_JOINER = '\u034f';

/**
 * Returns the text without characters that are shown as nothing: marks of writing direction,
 * zero-width spaces, joiners, byte order marks, soft hyphens, variation selectors, tags. Programs
 * add them to what people copy from contacts, chats and PDFs.
 */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/** Joiners within words and emoji, and the variation selectors and tags of emoji and ideographs. */
const SHAPING = '\\u200c\\u200d\\p{Variation_Selector}\\u{e0020}-\\u{e007f}';
/**
 * Format characters that are visible: signs that span the numbers after them (prepended
 * concatenation marks).
 */
const VISIBLE_FORMAT = '\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}';
const STRAY = strayExcept('');
const STRAY_IN_RIGHT_TO_LEFT = strayExcept('\\p{Bidi_Control}');
/**
 * Shaping characters without effect, as after a Latin letter or an ASCII character, except for the
 * selector of a keycap.
 */
const SHAPING_NOTHING = new RegExp(`(?<=^|[\\p{ASCII}\\p{Script=Latin}])(?!\\ufe0f\\u20e3)[${SHAPING}]+`, 'gu');
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

function strayExcept(more: string): RegExp {
  return new RegExp(`(?![${SHAPING}${VISIBLE_FORMAT}${more}])[\\p{Cf}\\p{Default_Ignorable_Code_Point}]`, 'gu');
}

/**
 * Returns the text without invisible characters, except for those that change how it is read:
 * joiners within words of other scripts and within emoji, variation selectors and tags of emoji,
 * and marks of writing direction beside right-to-left letters.
 */
export function withoutStrayInvisible(text: string): string {
  return text.replace(RIGHT_TO_LEFT.test(text) ? STRAY_IN_RIGHT_TO_LEFT : STRAY, '').replace(SHAPING_NOTHING, '');
}

/** Returns a pasted URL, key or the like without white space and invisible characters around it. */
export function pasted(text: string): string {
  let end = text.length;
  while (end > 0) {
    const character = characterBefore(text, end);
    if (!INVISIBLE_OR_SPACE.test(character)) break;
    end -= character.length;
  }
  let start = 0;
  while (start < end) {
    const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
    if (!INVISIBLE_OR_SPACE.test(character)) break;
    start += character.length;
  }
  return text.slice(start, end);
}

function characterBefore(text: string, end: number): string {
  const pair = text.slice(Math.max(0, end - 2), end);
  return pair.length === 2 && (pair.codePointAt(0) ?? 0) > 0xffff ? pair : text.slice(end - 1, end);
}

/**
 * Returns the text with the decimal digits of every script, and full-width letters, digits and
 * punctuation, in ASCII.
 */
export function asciiDigits(text: string): string {
  return text.replace(DIGITS_AND_FULL_WIDTH, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - FULL_WIDTH_OFFSET);
    return code < 0x80 ? character : String(valueOf(code));
  });
}

/** Caches the values of digits, of which Unicode has some hundreds. */
const digitValues = new Map<number, number>();

/**
 * Decimal digits are in runs of ten, ascending from 0
 * (https://www.unicode.org/policies/stability_policy.html); runs may touch.
 */
function valueOf(code: number): number {
  const known = digitValues.get(code);
  if (known !== undefined) return known;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(code - before - 1))) before += 1;
  digitValues.set(code, before % 10);
  return before % 10;
}

/** A longer number, key or code was not typed, and stays as it is. */
const TYPED_UNITS_MAX = 256;

/**
 * Returns a typed or pasted number or key in ASCII, without invisible characters and surrounding
 * white space.
 */
export function plainTyped(text: string): string {
  return text.length > TYPED_UNITS_MAX ? text : asciiDigits(withoutInvisible(text)).trim();
}

/**
 * Returns a typed or pasted code without the separators of its groups: white space, dashes,
 * invisible characters.
 */
export function ungrouped(code: string): string {
  if (code.length > TYPED_UNITS_MAX) return code;
  return asciiDigits(withoutInvisible(code)).replace(GROUPING, '');
}

/**
 * Returns the Unicode normalization of a text in time proportional to its length: sorting a run of
 * combining marks is quadratic, so runs of more than 30 are sorted in parts. Combining grapheme
 * joiners, which are invisible, are removed.
 */
export function normalized(text: string, form: 'NFC' | 'NFKC'): string {
  return text
    .replace(LONG_RUN_OF_MARKS, `$&${COMBINING_GRAPHEME_JOINER}`)
    .normalize(form)
    .replaceAll(COMBINING_GRAPHEME_JOINER, '');
}
