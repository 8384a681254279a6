import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Names in docs/configuration.md, which is generated from the schema of the environment: all
 * variables, and the secrets among them.
 */
export function variablesOfPage(root: string): { variables: readonly string[]; secrets: readonly string[] } {
  const rows = [...readFileSync(join(root, 'docs/configuration.md'), 'utf8').matchAll(/^\| `([A-Z0-9_]+)` .*$/gm)];
  const variables = rows.map(([, name = '']) => name);
  const secrets = rows.flatMap(([row, name = '']) => (row.includes('**Secret.**') ? name : []));
  return { variables, secrets };
}
