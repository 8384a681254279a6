import type { Complaint } from '../../../../tools/testkit/log-lines.js';
import type { Records } from '../load/records.js';
import type { Invariant } from '../../../../tools/testkit/invariants.js';
import type { Open } from '../invariants/quiescence.js';
import type { Tally } from './tally.js';

/** Results of a run. */
export interface Findings {
  readonly seed: number;
  readonly seconds: number;
  readonly records: Records;
  readonly tally: Tally;
  readonly rest: { readonly tookMs: number; readonly open: Open };
  readonly invariants: readonly Invariant[];
  readonly complaints: readonly Complaint[];
}

const shownMax = 20;
const countWidth = 9;

/** Returns the number of violations; the goal is 0. */
export function faultCountOf({ tally, rest, invariants }: Findings): number {
  const broken = invariants.reduce((sum, one) => sum + one.broken.length, 0);
  return tally.faults.length + broken + Object.keys(rest.open).length;
}

/** Formats the results as text. */
export function textOf(findings: Findings): string {
  const { seed, seconds, records, tally, rest, invariants, complaints } = findings;
  const { sends, verifies, replies, purchases } = records;
  const accepted = (kind: string) => sends.filter((one) => one.kind === kind && one.outcome === 'accepted').length;
  const faults = faultCountOf(findings);
  return [
    `Chaos: ${seconds} s of load, seed ${seed}`,
    ...section('Load', [
      ['messages accepted', accepted('sms')],
      ['codes sent', accepted('otp')],
      ['codes presented', verifies.length],
      ['sends refused', sends.filter(({ outcome }) => outcome === 'refused').length],
      ['sends repeated after a lost answer', sends.filter(({ unsure }) => unsure > 0).length],
      ['sends without a key and without an answer', sends.filter(({ outcome }) => outcome === 'unknown').length],
      ['replies posted', replies.length],
      ['sessions paid', purchases.length],
    ]),
    ...section('Injected faults', sorted(tally.events)),
    ...section('Outcomes of requests', sorted(tally.attempts)),
    ...section('Warnings and errors of servers and workers', sorted(byText(complaints))),
    '',
    `Quiescent ${(rest.tookMs / 1_000).toFixed(1)} s after the load`,
    ...Object.entries(rest.open).map(([name, count]) => `  ✗ still open: ${count} ${name}`),
    '',
    'Invariants',
    ...invariants.flatMap((one) => [
      `  ${one.broken.length === 0 ? '✓' : '✗'} ${String(one.checked).padStart(7)}  ${one.title}`,
      ...shown(one.broken),
    ]),
    `  ${tally.faults.length === 0 ? '✓' : '✗'}          no process died by itself, no request met what has no excuse`,
    ...shown(tally.faults),
    '',
    faults === 0 ? '0 lost, 0 doubled, 0 mismatches' : `${faults} faults: run it again with --seed=${seed}`,
  ].join('\n');
}

function section(title: string, rows: readonly (readonly [string, number])[]): string[] {
  return ['', title, ...rows.map(([name, count]) => `${String(count).padStart(countWidth)}  ${name}`)];
}

function sorted(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([, a], [, b]) => b - a);
}

function shown(lines: readonly string[]): string[] {
  const rest = lines.length - shownMax;
  return [...lines.slice(0, shownMax).map((line) => `      ${line}`), ...(rest > 0 ? [`      and ${rest} more`] : [])];
}

function byText(complaints: readonly Complaint[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text, count } of complaints) counts.set(text, (counts.get(text) ?? 0) + count);
  return counts;
}
