import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Postgres } from '../database/postgres.js';
import { purge } from '../durable-work/retention.js';
import { accountTables, coordinatorTables, referenceTables } from './layout.js';

const root = join(__dirname, '../../..');

/** Sources of the core by their path in it, without specs and migrations. */
const core: ReadonlyMap<string, string> = new Map(
  readdirSync(join(root, 'core'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.includes('/migrations/'))
    .map((name) => [name, readFileSync(join(root, 'core', name), 'utf8')]),
);

/** SQL in backquotes that writes a table with a copy on every node. */
const written = new RegExp(
  `\`[^\`]*\\b(?:INSERT INTO|UPDATE) (?:public\\.)?(?:${referenceTables.join('|')})\\b[^\`]*\``,
  'g',
);
/** Functions that each node might answer differently. */
const functionNames = [
  'now',
  'clock_timestamp',
  'statement_timestamp',
  'transaction_timestamp',
  'random',
  'gen_random_uuid',
];
const volatile = String.raw`\b(?:${functionNames.join('|')})\(`;

/**
 * Citus refuses functions that are not immutable within CASE and COALESCE, and anywhere in DO
 * UPDATE, in such statements. Source: Citus, src/backend/distributed/planner/multi_router_planner.c
 * (ModifyQuerySupported).
 */
const refused: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a function within CASE', new RegExp(String.raw`\bCASE\b(?:(?!\bEND\b)[\s\S])*${volatile}`, 'i')],
  ['a function within COALESCE', new RegExp(String.raw`\bcoalesce\([^()]*${volatile}`, 'i')],
  ['a function in DO UPDATE', new RegExp(String.raw`\bDO UPDATE\b[\s\S]*${volatile}`, 'i')],
];

function faultsOf(source: string): string[] {
  return [...source.matchAll(written)].flatMap(([text]) =>
    refused.flatMap(([what, pattern]) => (pattern.test(text) ? [`${what}: ${text.trim().slice(0, 80)}`] : [])),
  );
}

describe('statements that write tables which all nodes share', () => {
  it('have nothing that Citus refuses', () => {
    const sources = [...core.values()];
    expect(sources.flatMap((source) => source.match(written) ?? []).length).toBeGreaterThan(10);
    expect(sources.flatMap(faultsOf)).toEqual([]);
  });

  it.each([
    ["`UPDATE public.numbers SET status = CASE WHEN renews_at > now() THEN 'active' ELSE 'past_due' END`", 1],
    ['`UPDATE public.numbers SET due_at = coalesce($3::timestamptz, now())`', 1],
    ['`INSERT INTO public.opt_outs (sender) VALUES ($1) ON CONFLICT (sender) DO UPDATE SET created_at = now()`', 1],
    ['`UPDATE public.numbers SET label = CASE WHEN $2 THEN $3 ELSE label END, filtered_at = now()`', 0],
    ['`INSERT INTO public.opt_outs (sender, created_at) VALUES ($1, now()) ON CONFLICT DO NOTHING`', 0],
    ['`UPDATE messages SET due_at = coalesce($3::timestamptz, now())`', 0],
  ])('are judged by their text: %s', (text, faults) => {
    expect(faultsOf(text)).toHaveLength(faults);
  });
});

/** A text in backquotes, whose expressions may have texts in backquotes too. */
const template = /`(?:[^`$]|\$(?!\{)|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\})*`/.source;
/** An object with the text of a statement, behind its constant or the call that runs it. */
const statement = new RegExp(
  String.raw`(?:\bconst (?<name>\w+)[^=;{]*= |(?<call>\bquery\w*(?:<[^()]*?>)?\())?\{\s*` +
    String.raw`(?<before>(?:\w+: [^{}\n]*,\s+)*)text:\s+(?<text>${template}|'[^']*')(?<after>[^{}]*)\}`,
  'g',
);
const writing = String.raw`\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+`;
const anyOf = (tables: readonly string[]) => String.raw`(?:${tables.join('|')})\b`;
const writes = new RegExp(writing);
const writesAccounts = new RegExp(writing + anyOf(Object.keys(accountTables)));
/** On the node of an account a write without the schema is refused: functions.sql.ts. */
const needsCoordinator = new RegExp(
  [
    writing + anyOf(referenceTables),
    String.raw`\b(?:FROM|JOIN|INTO|UPDATE)\s+(?:public\.)?${anyOf(coordinatorTables)}`,
  ].join('|'),
);

/** Returns whether the source, or one that imports the constant from it, has it as an argument of the call. */
function isArgument(call: string, name: string, source: string): boolean {
  const use = new RegExp(String.raw`\b${call}(?:<[^()]*?>)?\(\s*${name}\b(?!\.)`);
  const imported = new RegExp(String.raw`\bimport\b[^;]*\b${name}\b`);
  return [source, ...[...core.values()].filter((other) => imported.test(other))].some((one) => use.test(one));
}

function markFaultsOf(source: string): string[] {
  return [...source.matchAll(statement)].flatMap(({ groups = {} }) => {
    const { name, call, before = '', text = '', after = '' } = groups;
    const about = name ?? text;
    const isRun = () => call !== undefined || (name !== undefined && isArgument(String.raw`query\w*`, name, source));
    if (!/\bshared: true\b/.test(before + after))
      return needsCoordinator.test(text) && isRun() ? [`not shared: ${about}`] : [];
    if (writesAccounts.test(text)) return [`shared, but writes a table of accounts: ${about}`];
    const leaves = writes.test(text) && name !== undefined && isArgument(String.raw`run`, `tx, ${name}`, source);
    return leaves ? [`shared, but writes in a transaction: ${about}`] : [];
  });
}

describe('statements on tables that accounts share', () => {
  it('are marked, so that they run on the coordinator', () => {
    const sources = [...core.values()];
    const found = sources.flatMap((source) => [...source.matchAll(statement)]);
    const texts = sources.flatMap((source) => source.match(/\btext: ['`]/g) ?? []);
    expect(texts.length).toBeGreaterThan(400);
    expect(found).toHaveLength(texts.length);
    expect(sources.flatMap(markFaultsOf)).toEqual([]);
  });

  const ofBind = 'const find = { text: `SELECT name FROM smpp_binds` };';
  const pausing = 'const pause = { text: `UPDATE carrier_pauses SET probes = 0`, shared: true };';
  it.each([
    [`${ofBind} postgres.query<Row>(find, []);`, ['not shared: find']],
    [`${ofBind} postgres.run<Row>(tx, find, []);`, []],
    [ofBind.replace(' }', ', shared: true }'), []],
    ["postgres.query({ text: 'UPDATE routes SET weight = 0' }, []);", ["not shared: 'UPDATE routes SET weight = 0'"]],
    ["postgres.query({ text: 'UPDATE public.routes SET weight = 0' }, []);", []],
    ["postgres.query({ text: 'SELECT weight FROM routes' }, []);", []],
    [`${pausing} postgres.query(pause, []);`, []],
    [`${pausing} postgres.run(tx, pause, []);`, ['shared, but writes in a transaction: pause']],
    [
      "const end = { text: 'UPDATE messages SET body = NULL', shared: true };",
      ['shared, but writes a table of accounts: end'],
    ],
  ])('are judged by their text: %s', (source, faults) => {
    expect(markFaultsOf(source)).toEqual(faults);
  });
});

it.each([
  ['messages', false],
  ['opt_outs', true],
  ['smpp_binds', true],
])('purge knows whether accounts share %s', async (table, shared) => {
  const query = jest.fn(() => Promise.resolve([]));
  await purge({ query } as unknown as Postgres, { table, key: ['id'], expired: 'true' }, []);
  expect(query).toHaveBeenCalledWith(expect.objectContaining({ shared }), []);
});

/** A call of a method of `Postgres` that names an account, a part or all parts of the database. */
const naming = /\bpostgres\s*\.(?:of[A-Z]|on[A-Z]|queryEach|by[A-Z]|enter)\w*\b/;

it('features that name parts of the database are listed in docs/design/shards.md, each with its reason', () => {
  const [, section = ''] = readFileSync(join(root, 'docs/design/shards.md'), 'utf8').split('## Features that know');
  const listed = [...section.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name]) => name);
  const found = [...core].filter(
    ([name, source]) => !/^(testing|platform\/database)\//.test(name) && naming.test(source),
  );
  expect(found.length).toBeGreaterThan(20);
  expect(new Set(listed)).toEqual(new Set(found.map(([name]) => name)));
});
