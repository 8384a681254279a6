import { readFileSync } from 'node:fs';
import { z } from 'zod';

const project = z.strictObject({
  type: z.literal('application'),
  root: z.string(),
  sourceRoot: z.string(),
  /** Path of the program's first file, without its extension, from the root of the sources. */
  entryFile: z.string(),
});

const nestCli = z.looseObject({
  compilerOptions: z.strictObject({ builder: z.literal('tsc'), tsConfigPath: z.string() }),
  projects: z.record(z.string(), project),
});

/** The programs as nest-cli.json lists them. `npm run build` bundles the same list (bundle.mjs). */
export const { projects, compilerOptions } = nestCli.parse(JSON.parse(readFileSync('nest-cli.json', 'utf8')));

/** Path of a program's compiled first file, below `dist`. Throws for a program that is not listed. */
export function entryOf(name: string): string {
  const found = projects[name];
  if (!found) throw new Error(`nest-cli.json lists no program ${name}.`);
  return `${found.entryFile}.js`;
}
