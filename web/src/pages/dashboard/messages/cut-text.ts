const SHOWN_CHARACTERS = 30;

const characters = new Intl.Segmenter('en-US', { granularity: 'grapheme' });

/**
 * A message as tables show it: 30 characters and '...' of a longer one (product specification, section 2). A character is what
 * a reader takes for one (Unicode UAX #29), so an emoji is never cut in two.
 */
export function cutText(text: string): { readonly shown: string; readonly isCut: boolean } {
  if (text.length <= SHOWN_CHARACTERS) return { shown: text, isCut: false };
  let count = 0;
  for (const { index } of characters.segment(text)) {
    if (count === SHOWN_CHARACTERS) return { shown: `${text.slice(0, index)}...`, isCut: true };
    count += 1;
  }
  return { shown: text, isCut: false };
}
