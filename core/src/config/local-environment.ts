import { readFileSync } from 'node:fs';
import { parseEnv as parseDotEnv } from 'node:util';

const files = ['.env', '.data/local.env'];

/**
 * Variables of `.env`, then of the file in which `npm start` leaves the addresses of its embedded services, so that
 * `npm run admin` finds them. The second is left alone as soon as a database is named elsewhere.
 */
export function readLocalEnvironment(variables: NodeJS.ProcessEnv): Record<string, string> {
  let found: Record<string, string> = {};
  for (const file of files) {
    if (variables.DATABASE_URL ?? found.DATABASE_URL) break;
    found = { ...readFile(file), ...found };
  }
  return found;
}

function readFile(path: string): Record<string, string> {
  try {
    return Object.fromEntries(
      Object.entries(parseDotEnv(readFileSync(path, 'utf8'))).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      ),
    );
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return {};
    throw cause;
  }
}
