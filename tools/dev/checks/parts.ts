import { StartError } from '../start-error.js';

const parts = ['static', 'unit', 'integration', 'e2e'] as const;

/** A part of the checks that can be run alone. */
export type Part = (typeof parts)[number];

/** The parts that `--only=unit,e2e` names, or all. Throws StartError for anything else. */
export function partsOf(args: string[]): Set<Part> {
  const names = args.flatMap((arg) => {
    if (!arg.startsWith('--only=')) throw new StartError(usage(arg));
    return arg.slice('--only='.length).split(',');
  });
  return names.length === 0 ? new Set(parts) : new Set(names.map(partOf));
}

function partOf(name: string): Part {
  const part = parts.find((known) => known === name);
  if (!part) throw new StartError(usage(name));
  return part;
}

function usage(wrong: string): string {
  return `"${wrong}" is not understood: npm test [-- --only=${parts.join('|')}]`;
}
