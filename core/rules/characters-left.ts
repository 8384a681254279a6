import { limits } from '#contract/limits.js';
import { segmentsOf } from './segments.js';

/** Plain characters that can still be typed behind a text before it takes another segment: by {@link segmentsOf}, as it is charged. */
export function charactersLeftIn(text: string): number {
  const { segments } = segmentsOf(text);
  let fitting = 0;
  let tooMany = limits.gsm7Characters.single + 1;
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (segmentsOf(text + 'a'.repeat(middle)).segments === segments) fitting = middle;
    else tooMany = middle;
  }
  return fitting;
}
