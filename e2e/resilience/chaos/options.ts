import { parseArgs } from 'node:util';

export interface Options {
  /** Duration of load and faults. */
  readonly seconds: number;
  /** Decides which faults happen and when; the same seed gives the same plan. */
  readonly seed: number;
  /** The run is over a Citus cluster, a node of which dies and hangs in place of Postgres. */
  readonly citus: boolean;
  /** Server and worker are the role `app` of ops/postgres/roles.sql. */
  readonly roles: boolean;
  /** Postgres and Redis are reached over TLS. */
  readonly tls: boolean;
}

/** An error in the command line. Its message is printed as it is. */
export class UsageError extends Error {}

export const usage = `npm run chaos -- [options]
  --minutes=N   how long load and disturbances go on, from 0.1 to 120 (3)
  --seed=N      a whole number that decides the plan (a new one each time)
  --citus       over a Citus cluster, of which one node dies and hangs; needs PostgreSQL with the extension
  --roles       server and worker as the role that only reads and writes rows; needs psql
  --tls         Postgres and Redis over TLS, with certificates of its own; needs openssl`;

const minutesMin = 0.1;
const minutesMax = 120;
const seedMax = 2 ** 31 - 1;

/** Parses the command line. Throws {@link UsageError}. */
export function optionsOf(args: readonly string[], newSeed: number): Options {
  const { minutes = '3', seed = String(newSeed), citus = false, roles = false, tls = false } = parse(args);
  if (citus && (roles || tls)) throw new UsageError('--citus has one role and no TLS: leave out --roles and --tls.');
  const seconds = Math.round(numberOf('minutes', minutes, minutesMin, minutesMax) * 60);
  if (!/^\d+$/.test(seed))
    throw new UsageError(`--seed must be a whole number from 0 to ${seedMax}, but is "${seed}".`);
  return { seconds, seed: numberOf('seed', seed, 0, seedMax), citus, roles, tls };
}

function parse(args: readonly string[]): {
  minutes?: string;
  seed?: string;
  citus?: boolean;
  roles?: boolean;
  tls?: boolean;
} {
  try {
    const text = { type: 'string' } as const;
    const flag = { type: 'boolean' } as const;
    const options = { minutes: text, seed: text, citus: flag, roles: flag, tls: flag } as const;
    return { ...parseArgs({ args: [...args], options }).values };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function numberOf(name: string, text: string, min: number, max: number): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= min && number <= max) return number;
  throw new UsageError(`--${name} must be a number from ${min} to ${max}, but is "${text}".`);
}
