import { limits } from '#contract/limits.js';

/** Reason why a label cannot be saved; undefined when it can. */
export function labelFault(label: string): string | undefined {
  const max = limits.numberLabelCharactersMax;
  return label.trim().length > max ? `Enter a label of up to ${max} characters.` : undefined;
}
