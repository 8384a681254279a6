import { mediaInWords } from '#contract/media.js';
import { orRemoved } from '../../ui/format.js';

/**
 * A message in one line: its text, or else the kinds of its files or a note of its erasure.
 */
export function textOrMedia(text: string, mediaTypes: readonly (string | null)[], isRemoved = true): string {
  return text === '' ? (mediaInWords(mediaTypes.map((type) => ({ type }))) ?? orRemoved(text, isRemoved)) : text;
}

/** Names the files beside a text; undefined where they are shown in place of the text. */
export function filesBeside(text: string, mediaTypes: readonly (string | null)[]): string | undefined {
  const [first] = mediaTypes;
  if (text === '' || first === undefined) return undefined;
  if (mediaTypes.length > 1) return `With ${mediaTypes.length} files`;
  return first?.startsWith('image/') ? 'With a picture' : 'With a file';
}
