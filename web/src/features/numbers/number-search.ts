import type { NumberType } from '#contract/numbers.js';

/** Area codes of toll-free numbers in North America (https://nanpa.com, "Toll-Free Numbers"). */
const TOLL_FREE = ['800', '833', '844', '855', '866', '877', '888'] as const;
const CONTAINED_MAX = 10;

/** Removes the marks that people put between digits. */
export function plainSearch(typed: string): string {
  return typed.replace(/[\s().-]/g, '');
}

/** Reason why no number can have an area code; undefined when a number can. */
export function areaCodeFault(areaCode: string, type: NumberType): string | undefined {
  if (areaCode === '') return undefined;
  if (!/^\d{3}$/.test(areaCode)) return 'Three digits, such as 212.';
  if (type === 'local' || TOLL_FREE.some((code) => code === areaCode)) return undefined;
  const codes = `${TOLL_FREE.slice(0, -1).join(', ')} or ${TOLL_FREE.at(-1)}`;
  return `${areaCode} is not a toll-free code. Toll-free numbers begin with ${codes}.`;
}

/** Reason why no number can contain a text; undefined when a number can. */
export function containsFault(contains: string): string | undefined {
  if (contains === '') return undefined;
  if (!/^[0-9A-Za-z*]+$/.test(contains)) return 'Only digits, letters and *.';
  if (contains.length > CONTAINED_MAX) return `At most ${CONTAINED_MAX} digits or letters.`;
  return /^(?:\**[0-9A-Za-z]){2}/.test(contains) ? undefined : 'At least two digits or letters.';
}
