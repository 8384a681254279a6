import type { Counted } from './product.js';

/** Cost of one message of a scenario: numbers by name. */
export type Figures = Readonly<Record<string, number>>;

const DECIMALS = 3;
const rounded = (value: number) => Number(value.toFixed(DECIMALS));

/** A changed text has a new version in its name, so that each connection prepares it anew. */
export const withoutVersion = (statement: string): string => statement.replace(/-\d+$/, '');

/** All figures, by message. */
function figuresOf(counted: Counted, messages: number): Figures {
  const { statements, log, redis, jobs, pdus, server, worker } = counted;
  const listed = (kind: string, counts: ReadonlyMap<string, number>) =>
    [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, count]) => [`${kind} ${name}`, count] as const);
  const all = [
    ['statements', sum(statements)],
    ...listed('statement', new Map([...statements].map(([name, count]) => [withoutVersion(name), count]))),
    ['rows', sum(log.rows)],
    ...listed('row', log.rows),
    ['log records', log.records],
    ['log bytes', log.bytes],
    ['log bytes of pages', log.pageBytes],
    ['redis commands', redis.commands],
    ['redis bytes', redis.bytes],
    ['jobs', jobs],
    ['requests to the server', server.requestsIn],
    ['requests of the server', server.requestsOut],
    ['requests of the worker', worker.requestsOut],
    ...listed('pdu', pdus),
    ['allocated by the server', server.allocatedBytes],
    ['allocated by the worker', worker.allocatedBytes],
  ] as const;
  return Object.fromEntries(
    all.map(([name, value]) => [name, rounded(value / messages)]).filter(([, value]) => value !== 0),
  );
}

/**
 * Returns the figures of one message, without what depends on other messages, such as whether a page or the heap
 * is full, or a worker waits for a job already.
 */
export function figuresOfOne(counted: Counted): Figures {
  return without(/^(log bytes of pages|redis bytes|allocated .*)$/, figuresOf(counted, 1));
}

/** Returns the figures of each of many messages, without single statements, tables and PDUs. */
export function sumsOf(counted: Counted, messages: number): Figures {
  return without(/^(statement|row|pdu) /, figuresOf(counted, messages));
}

const without = (names: RegExp, figures: Figures): Figures =>
  Object.fromEntries(Object.entries(figures).filter(([name]) => !names.test(name)));

/**
 * The median of each figure over runs of the same work. Work that the clock adds to some runs, such
 * as a read that is made once a second, is not in it.
 */
export function medianOf(runs: readonly Figures[]): Figures {
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
  return overRuns(runs, middle);
}

/** The least of each figure over runs of the same work. A busy machine splits batches, and never joins them. */
export function leastOf(runs: readonly Figures[]): Figures {
  return overRuns(runs, (values) => Math.min(...values));
}

function overRuns(runs: readonly Figures[], choose: (values: number[]) => number): Figures {
  const names = [...new Set(runs.flatMap((run) => Object.keys(run)))];
  const chosen = names.map((name) => [name, choose(runs.map((run) => run[name] ?? 0))] as const);
  return Object.fromEntries(chosen.filter(([, value]) => value !== 0));
}

const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((total, count) => total + count, 0);
