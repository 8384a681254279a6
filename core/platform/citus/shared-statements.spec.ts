import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { referenceTables } from './layout.js';

const root = join(__dirname, '../../..');

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
    const names = readdirSync(join(root, 'core'), { recursive: true, encoding: 'utf8' });
    const files = names.filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.spec.ts') && !name.includes('/migrations/'),
    );
    const statements = files.flatMap((file) => readFileSync(join(root, 'core', file), 'utf8').match(written) ?? []);
    expect(statements.length).toBeGreaterThan(10);
    expect(files.flatMap((file) => faultsOf(readFileSync(join(root, 'core', file), 'utf8')))).toEqual([]);
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
