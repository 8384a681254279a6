import { limits } from '#contract/limits.js';

/** The whole hours that somebody typed, 0 to 72; undefined when it is something else. */
export function keptHours(typed: string): number | undefined {
  const text = typed.trim();
  const hours = Number(text);
  return /^\d+$/.test(text) && hours <= limits.oldKeyHoursMax ? hours : undefined;
}
