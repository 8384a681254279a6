import { parseArgs, type ParseArgsConfig } from 'node:util';
import { Pennytext } from '../client.js';
import { readConnection } from './config.js';
import { type Terminal, UsageError } from './terminal.js';
import { pipedText } from './csv.js';

export interface Option {
  readonly type: 'string' | 'boolean';
  /** Name of the value in the help. */
  readonly value?: string;
  readonly about: string;
  /** The option may be given several times. */
  readonly isList?: boolean;
}

export interface Context {
  readonly terminal: Terminal;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
  /** The client of the saved or given connection. Throws {@link UsageError} without one. */
  readonly client: () => Pennytext;
}

/** Values of the given options, as parsed. */
export interface Values {
  text(name: string): string | undefined;
  list(name: string): readonly string[];
  number(name: string): number | undefined;
  flag(name: string): boolean;
}

export interface Command {
  /** Usage such as `send TO TEXT`; a part in brackets is optional. */
  readonly usage: string;
  readonly about: string;
  readonly details?: string;
  readonly options?: Readonly<Record<string, Option>>;
  readonly run: (context: Context, args: readonly string[], values: Values) => Promise<number | void>;
}

/** Options of every command. */
export const commonOptions: Readonly<Record<string, Option>> = {
  json: { type: 'boolean', about: 'Print JSON, one object per line.' },
  help: { type: 'boolean', about: 'Show this help.' },
};

interface Parsed {
  readonly args: readonly string[];
  readonly values: Values;
}

/**
 * Throws {@link UsageError} for unknown options and a wrong number of arguments; the error for a
 * missing action lists the actions.
 */
export function parse({ usage, details, options = {} }: Command, argv: readonly string[]): Parsed {
  const config: ParseArgsConfig['options'] = {};
  for (const [name, { type, isList = false }] of Object.entries({ ...options, ...commonOptions }))
    config[name] = name === 'help' ? { type, short: 'h' } : { type, multiple: isList };
  const { values, positionals } = parsed(argv, config);
  const names = usage.split(' ').slice(1);
  const needed = names.filter((name) => !name.startsWith('['));
  const isBare = positionals.length === 0 && names[0] === 'ACTION' && details !== undefined;
  if (!values['help'] && (positionals.length < needed.length || positionals.length > names.length))
    throw new UsageError([`Usage: pennytext ${usage}`, ...(isBare ? [details] : [])].join('\n\n'));
  return { args: positionals, values: valuesOf(values) };
}

function parsed(argv: readonly string[], options: NonNullable<ParseArgsConfig['options']>) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
}

function valuesOf(given: Readonly<Record<string, unknown>>): Values {
  const text = (name: string) => (typeof given[name] === 'string' ? given[name] : undefined);
  const list = (name: string) => {
    const values = given[name];
    return Array.isArray(values) ? values.map(String) : [];
  };
  return {
    text,
    list,
    number(name) {
      const value = text(name);
      if (value === undefined) return undefined;
      if (!/^\d+$/.test(value)) throw new UsageError(`--${name} is a whole number.`);
      return Number(value);
    },
    flag: (name) => given[name] === true,
  };
}

/** The client that commands use. */
export function clientOf(env: Context['env']): Pennytext {
  return new Pennytext(readConnection(env));
}

/** The text of an argument, or standard input for `-`. */
export async function textOf(given: string, terminal: Terminal): Promise<string> {
  return given === '-' ? (await pipedText(terminal)).replace(/\r?\n$/, '') : given;
}

/** An argument whose presence the command has checked. */
export function argument(args: readonly string[], index: number): string {
  const found = args[index];
  if (found === undefined) throw new UsageError('An argument is missing.');
  return found;
}

/** The message for an unknown command, with the command that was probably meant. */
export function unknownCommand(name: string, known: readonly string[]): string {
  const [nearest] = known
    .map((one) => ({ one, distance: distanceOf(name, one) }))
    .filter(({ one, distance }) => distance <= Math.ceil(one.length / 3))
    .sort((a, b) => a.distance - b.distance);
  const meant = nearest ? ` Did you mean "${nearest.one}"?` : '';
  return `There is no command "${name}".${meant} See pennytext --help.`;
}

/**
 * Number of letters to add, remove, change or swap with the next letter to turn one word into the
 * other (optimal string alignment).
 */
function distanceOf(given: string, wanted: string): number {
  const rows: number[][] = [Array.from({ length: wanted.length + 1 }, (_, place) => place)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (let i = 1; i <= given.length; i += 1) {
    rows.push([i]);
    for (let j = 1; j <= wanted.length; j += 1) {
      const isSame = given[i - 1] === wanted[j - 1];
      const isSwapped = given[i - 1] === wanted[j - 2] && given[i - 2] === wanted[j - 1];
      const swapped = isSwapped && i > 1 && j > 1 ? at(i - 2, j - 2) + 1 : Infinity;
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (isSame ? 0 : 1), swapped));
    }
  }
  return at(given.length, wanted.length);
}
