import { parseArgs } from 'node:util';

/** Parts of the bench, in the order in which they run. */
export const partNames = [
  'accept',
  'bulk',
  'cost',
  'turns',
  'carrier',
  'smpp',
  'scaling',
  'schedule',
  'live',
  'fairness',
  'otp',
  'webhooks',
  'dashboard',
  'memory',
  'media',
  'pages',
  'storage',
  'peers',
  'citus',
] as const;
export type PartName = (typeof partNames)[number];

/** Parts on demand: they take long, or need a browser, other packages or an earlier checkout. */
const onDemand: readonly PartName[] = [
  'turns',
  'smpp',
  'scaling',
  'schedule',
  'memory',
  'media',
  'pages',
  'storage',
  'peers',
  'citus',
];

/** The numbers of the command line: default, maximum and meaning. */
const counts = {
  seconds: [10, 600, 'length of every measurement under load'],
  messages: [20_000, 500_000, 'messages from acceptance to carrier, and queued in the fairness run'],
  waiting: [
    100_000,
    1_000_000,
    'messages that wait in the long queue of the scaling run, and scheduled ones of the schedule run',
  ],
  // The sandbox keeps 400,000 messages.
  step: [100_000, 130_000, 'messages of each of the three steps of the memory run'],
  rounds: [1, 20, 'rounds of every part; the best of each figure counts'],
} as const;
type CountName = keyof typeof counts;
const countNames = Object.keys(counts) as CountName[];

export interface Options extends Readonly<Record<CountName, number>> {
  readonly only: readonly PartName[];
  /** Root of a checkout, built, whose programs are measured too, in turns. */
  readonly against: string | undefined;
  /** Folder that server and worker write CPU profiles to when they end. */
  readonly profile: string | undefined;
  /** File that the figures are written to as JSON. */
  readonly json: string | undefined;
}

/** An error in the command line; its message is printed as it is. */
export class UsageError extends Error {}

export const usage = `npm run bench -- [options]
  --only=PART,…    of ${partNames.join(', ')} (all but ${onDemand.join(', ')})
${countNames.map((name) => `  --${name}=N`.padEnd(19) + `${counts[name][2]} (${counts[name][0]})`).join('\n')}
  --against=DIR    measures the built checkout in DIR too, in turns, and prints ratios
  --profile=DIR    writes CPU profiles of server and worker to DIR
  --json=FILE      writes the figures to a file, in place of earlier ones of the same parts`;

/** Parses the command line. Throws {@link UsageError}. */
export function optionsOf(args: readonly string[]): Options {
  const { only, against, profile, json, ...given } = parse(args);
  const parts = only === undefined ? partNames.filter((name) => !onDemand.includes(name)) : partsOf(only);
  if (parts.includes('turns') && against === undefined)
    throw new UsageError('--only=turns compares with an earlier checkout: name it by --against=DIR.');
  const numbers = countNames.map((name) => [name, countOf(name, given[name])]);
  return {
    only: parts,
    against,
    profile,
    json,
    ...(Object.fromEntries(numbers) as Record<CountName, number>),
  };
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const names = { only: text, against: text, profile: text, json: text };
  const numbers = { seconds: text, messages: text, waiting: text, step: text, rounds: text };
  try {
    return parseArgs({ args: [...args], options: { ...names, ...numbers } }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function partsOf(list: string): PartName[] {
  const wanted = list.split(',').map((name) => name.trim());
  const unknown = wanted.find((name) => !partNames.some((part) => part === name));
  if (unknown !== undefined) {
    throw new UsageError(`--only: there is no part "${unknown}"; the parts are ${partNames.join(', ')}.`);
  }
  return partNames.filter((name) => wanted.includes(name));
}

function countOf(name: CountName, given: string | undefined): number {
  const [usual, max] = counts[name];
  const count = Number(given ?? usual);
  if (Number.isInteger(count) && count >= 1 && count <= max) return count;
  throw new UsageError(`--${name} must be a whole number from 1 to ${max}, but is "${given}".`);
}
