import { parseArgs } from 'node:util';

/** Parts of the bench, in the order in which they run. */
export const partNames = [
  'accept',
  'plain',
  'raw',
  'carrier',
  'scaling',
  'live',
  'fairness',
  'otp',
  'webhooks',
  'dashboard',
  'memory',
  'pages',
  'history',
  'storage',
] as const;
export type PartName = (typeof partNames)[number];

/** Options of the command line. */
export interface Options {
  readonly only: readonly PartName[];
  /** Length of every measurement under load. */
  readonly seconds: number;
  /** Messages of a run from acceptance to carrier; as many are queued in the fairness run. */
  readonly messages: number;
  /** Messages of each of the three steps of the memory run. */
  readonly memoryStepMessages: number;
  /** Messages that wait at the start of the long queue's run. */
  readonly waitingMessages: number;
  /** File that the figures are written to as JSON. */
  readonly jsonFile: string | undefined;
}

/** An error in the command line; its message is printed as it is. */
export class UsageError extends Error {}

export const usage = `npm run bench -- [options]
  --only=PART,…       of ${partNames.join(', ')} (all but scaling, memory, pages, history and storage)
  --seconds=N         length of every measurement under load (10)
  --messages=N        messages from acceptance to carrier, and queued in the fairness run (20000)
  --waiting=N         messages that wait in the long queue of the scaling run (100000)
  --memory[=N]        adds the memory run: three steps of N messages (100000)
  --json=FILE         writes the figures to a file too`;

const memoryStepMessages = 100_000;

/** Measured on demand only: they take long, or need a browser. */
const onDemand: readonly PartName[] = ['scaling', 'memory', 'pages', 'history', 'storage'];

/** Parses the command line. Throws {@link UsageError}. */
export function optionsOf(args: readonly string[]): Options {
  // node:util has no option with an optional value.
  const { values } = parse(args.map((arg) => (arg === '--memory' ? `--memory=${memoryStepMessages}` : arg)));
  const chosen =
    values.only === undefined ? partNames.filter((name) => !onDemand.includes(name)) : partsOf(values.only);
  const wantsMemory = values.memory !== undefined && !chosen.includes('memory');
  return {
    only: wantsMemory ? [...chosen, 'memory'] : chosen,
    seconds: countOf('seconds', values.seconds, 10, 600),
    messages: countOf('messages', values.messages, 20_000, 200_000),
    // The sandbox keeps 400,000 messages.
    memoryStepMessages: countOf('memory', values.memory, memoryStepMessages, 130_000),
    waitingMessages: countOf('waiting', values.waiting, 100_000, 1_000_000),
    jsonFile: values.json,
  };
}

function parse(args: string[]) {
  try {
    const text = { type: 'string' } as const;
    const options = { only: text, seconds: text, messages: text, waiting: text, memory: text, json: text };
    return parseArgs({ args, options });
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

function countOf(name: string, given: string | undefined, usual: number, max: number): number {
  const count = Number(given ?? usual);
  if (Number.isInteger(count) && count >= 1 && count <= max) return count;
  throw new UsageError(`--${name} must be a whole number from 1 to ${max}, but is "${given}".`);
}
