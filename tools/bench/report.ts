import type { Complaint } from '../testkit/log-lines.js';
import { ratiosOf, type Ratio } from './ratios.js';
import { type Extras, type Figure, units } from './figure.js';

/** A condition without which the figures mean nothing. */
interface Check {
  readonly part: string;
  readonly promise: string;
  readonly isSo: boolean;
  readonly seen: string;
}

/** Collects measurements and prints them at the end. */
export class Report {
  private part = '';
  private build: Figure['build'];
  private readonly best = new Map<string, Figure>();
  private readonly checks: Check[] = [];
  private readonly skipped: { readonly part: string; readonly name: string; readonly why: string }[] = [];
  private readonly logs: (Complaint & { readonly part: string; readonly program: string })[] = [];

  constructor(private readonly machine: Readonly<Record<string, string>>) {}

  /** Starts a part: everything reported from now on belongs to it. */
  begin(part: string, build?: Figure['build']): void {
    this.part = part;
    this.build = build;
    this.progress(`${part}${build ? `, ${build}` : ''} …`);
  }

  /** Reports a figure; of several rounds, the best counts. */
  figure(name: string, value: number, unit: Figure['unit'], extras: Extras = {}): void {
    const { part, build } = this;
    const key = `${build} ${part} ${name}`;
    const earlier = this.best.get(key)?.value;
    const isBetter = earlier === undefined || (units[unit].isMoreBetter ? value > earlier : value < earlier);
    if (isBetter) this.best.set(key, { part, name, value, unit, ...(build && { build }), ...extras });
    this.progress(`${part}: ${name}: ${number(value)} ${units[unit].text}`);
  }

  /** Reports a figure that is not measured on this machine. */
  skip(name: string, why: string): void {
    const isKnown = this.skipped.some((one) => one.part === this.part && one.name === name);
    if (!isKnown) this.skipped.push({ part: this.part, name, why });
    this.progress(`${this.part}: ${name}: skipped, as ${why}`);
  }

  check(promise: string, isSo: boolean, seen: string): void {
    this.checks.push({ part: this.part, promise, isSo, seen });
  }

  complaints(program: string, complaints: readonly Complaint[]): void {
    this.logs.push(...complaints.map((complaint) => ({ part: this.part, program, ...complaint })));
  }

  /** Writes progress to standard error; the figures themselves go to standard output. */
  progress(line: string): void {
    process.stderr.write(`bench  ${line}\n`);
  }

  get figures(): Figure[] {
    return [...this.best.values()];
  }

  /** Whether every check held. */
  get isSound(): boolean {
    return this.checks.every(({ isSo }) => isSo);
  }

  toText(): string {
    const ratios = ratiosOf(this.figures);
    const broken = this.checks.filter(({ isSo }) => !isSo);
    const logs = this.logs.map(
      ({ part, program, text, count, example }) =>
        `log  ${part}, ${program}: ${text} (${count} times), first: ${example}`,
    );
    return [
      Object.entries(this.machine)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
      figureTable(this.figures),
      ...this.skipped.map(({ part, name, why }) => `SKIPPED  ${part}: ${name}: ${why}`),
      ...(this.figures.some(({ by }) => by) ? [costTable(this.figures)] : []),
      ...(ratios.length > 0 ? [ratioTable(ratios)] : []),
      `${this.checks.length - broken.length} of ${this.checks.length} checks held`,
      ...broken.map(({ part, promise, seen }) => `BROKEN  ${part}: ${promise}: ${seen}`),
      logs.length === 0 ? 'No warning or error in any log' : logs.join('\n'),
    ].join('\n\n');
  }
}

/** Formats rows as aligned columns; columns listed in `right` are aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], right: readonly number[]): string {
  const widths = head.map((title, column) => Math.max(...[head, ...rows].map((row) => (row[column] ?? title).length)));
  const pad = (cell: string, column: number) =>
    right.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  const rule = widths.map((width) => '─'.repeat(width));
  return [head, rule, ...rows].map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

export function figureTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.part,
    nameOf(figure),
    `${number(figure.value)} ${units[figure.unit].text}`,
    figure.p50Ms === undefined ? '' : number(figure.p50Ms),
    figure.p99Ms === undefined ? '' : number(figure.p99Ms),
    goalText(figure),
    figure.note ?? '',
  ]);
  return table(['part', 'what', 'figure', 'p50 ms', 'p99 ms', 'goal', 'note'], rows, [2, 3, 4]);
}

/** CPU time by process: a row for each figure that is a sum. */
function costTable(figures: readonly Figure[]): string {
  const sums = figures.filter(({ by }) => by);
  const names = [...new Set(sums.flatMap(({ by = {} }) => Object.keys(by)))];
  const rows = sums.map((figure) => [
    `${figure.part}: ${nameOf(figure)}`,
    ...names.map((name) => (figure.by?.[name] === undefined ? '' : number(figure.by[name]))),
    number(figure.value),
  ]);
  return table(
    ['CPU ms per 1,000', ...names, 'sum'],
    rows,
    [...names.keys(), names.length].map((column) => column + 1),
  );
}

export function ratioTable(ratios: readonly Ratio[]): string {
  const rows = ratios.map((ratio) => [`${ratio.of} / ${ratio.by}`, `${ratio.value.toFixed(2)} ×`, goalText(ratio)]);
  return table(['ratio', 'value', 'goal'], rows, [1]);
}

function nameOf({ name, build }: Figure): string {
  return build ? `${name} (${build})` : name;
}

/** A number as printed. */
export function number(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 10 ? 1 : 0 });
}

function goalText({ value, p99Ms = 0, goal }: Pick<Figure, 'value' | 'p99Ms' | 'goal'>): string {
  if (!goal) return '';
  const { atLeast, below, p99BelowMs } = goal;
  const isReached = value >= (atLeast ?? -Infinity) && value < (below ?? Infinity) && p99Ms < (p99BelowMs ?? Infinity);
  const bounds = [
    atLeast === undefined ? [] : `≥ ${number(atLeast)}`,
    below === undefined ? [] : `< ${number(below)}`,
    p99BelowMs === undefined ? [] : `p99 < ${number(p99BelowMs)}`,
  ];
  return `${isReached ? '✓' : '✗'} ${bounds.flat().join(', ')}`;
}

/** The value that this share of all values does not exceed; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const ordered = values.toSorted((a, b) => a - b);
  return ordered[Math.min(ordered.length - 1, Math.floor(ordered.length * share))] ?? NaN;
}
