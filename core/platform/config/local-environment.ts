import { readFileSync } from 'node:fs';
import { parseEnv as parseDotEnv } from 'node:util';

/**
 * Variables of `.env`, then of the file in which `npm start` leaves the addresses of its embedded services, so that
 * `npm run admin` finds them. The second is left alone as soon as a database is named elsewhere.
 */
export function readLocalEnvironment(variables: NodeJS.ProcessEnv): Record<string, string> {
  const own = readFile('.env');
  return variables.DATABASE_URL || own.DATABASE_URL ? own : { ...readFile('.data/local.env'), ...own };
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
