import { limits } from '#contract/limits.js';

/** The number of credits that was typed, with or without separators; undefined when it is none that can be set. */
export function lowCreditsOf(text: string): number | undefined {
  const digits = text.trim().replace(/,/g, '');
  const count = /^\d{1,9}$/.test(digits) ? Number(digits) : 0;
  return count >= 1 && count <= limits.lowCreditsMax ? count : undefined;
}
