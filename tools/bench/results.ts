import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { ratiosOf } from './ratios.js';
import type { Figure } from './figure.js';

const figure = z.object({
  part: z.string(),
  name: z.string(),
  value: z.number(),
  unit: z.string(),
  build: z.literal('before').optional(),
  p50Ms: z.number().optional(),
  p99Ms: z.number().optional(),
  by: z.record(z.string(), z.number()).optional(),
  note: z.string().optional(),
});
const ratio = z.object({ of: z.string(), by: z.string(), value: z.number() });
/** One run: machine, versions, date and commit, then its figures. */
const run = z.object({
  machine: z.record(z.string(), z.string()),
  figures: z.array(figure),
  ratios: z.array(ratio),
});
const results = z.object({ runs: z.array(run) });
export type Results = z.infer<typeof results>;

/** Reads a file of results, as `docs/bench-results.json`. */
export function readResults(file: string): Results {
  return results.parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** Adds a run to a file of results, in place of earlier figures of the same parts. */
export function writeResults(file: string, machine: Record<string, string>, figures: readonly Figure[]): void {
  const earlier = existsSync(file) ? readResults(file) : { runs: [] };
  const added = { machine, figures: [...figures], ratios: ratiosOf(figures) };
  writeFileSync(file, `${JSON.stringify(mergeRun(earlier, added), rounded, 2)}\n`);
}

export function mergeRun(earlier: Results, added: Results['runs'][number]): Results {
  const parts = new Set(added.figures.map(({ part }) => part));
  const isKept = (key: string) => !parts.has(key.slice(0, key.indexOf(':')));
  const kept = earlier.runs.map((one) => ({
    ...one,
    figures: one.figures.filter(({ part }) => !parts.has(part)),
    ratios: one.ratios.filter(({ of, by }) => isKept(of) && isKept(by)),
  }));
  return results.parse({ runs: [...kept.filter(({ figures }) => figures.length > 0), added] });
}

/** More than four digits are noise. */
function rounded(_name: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(4)) : value;
}
