import { mediaInWords } from '#contract/media.js';
import { orRemoved } from '../../ui/format.js';

/** A message in one line: its text; without one what its files are, or that the text was erased. */
export function textOrMedia(text: string, mediaTypes: readonly (string | null)[]): string {
  return text === '' ? (mediaInWords(mediaTypes.map((type) => ({ type }))) ?? orRemoved(text)) : text;
}
