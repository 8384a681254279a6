import type { Complaint } from '../testkit/log-lines.js';

/** A bound on a value, or on its p99. */
interface Goal {
  readonly atLeast?: number;
  readonly below?: number;
  readonly p99BelowMs?: number;
}

interface Extras {
  readonly p50Ms?: number;
  readonly p99Ms?: number;
  readonly goal?: Goal | undefined;
  readonly note?: string;
}

/** One measured value. */
interface Figure extends Extras {
  readonly part: string;
  readonly name: string;
  readonly value: number;
  readonly unit: keyof typeof unitTexts;
}

/** One figure divided by another. */
interface Ratio {
  readonly name: string;
  readonly value: number;
  readonly goal?: Goal | undefined;
}

/** A condition without which the figures mean nothing. */
interface Check {
  readonly part: string;
  readonly promise: string;
  readonly isSo: boolean;
  readonly seen: string;
}

const unitTexts = { 'per second': '/s', ms: 'ms', MB: 'MB', kB: 'kB', bytes: 'bytes', points: 'of 100' };

const acceptOne = 'accept: 1 account';
const acceptMany = 'accept: 100 accounts';
const emptyHandler = 'raw: empty handler';
const toCarrier = 'carrier: instant carrier';

/** Name, the figure divided, the figure it is divided by, and the goal. */
const wantedRatios: readonly (readonly [name: string, of: string, by: string, goal?: Goal])[] = [
  ['accept / plain TypeORM, 1 account', acceptOne, 'plain: 1 account', { atLeast: 3 }],
  ['accept / plain TypeORM, 100 accounts', acceptMany, 'plain: 100 accounts', { atLeast: 3 }],
  ['accept with rate limits / without, 1 account', 'accept: 1 account, rate limits on', acceptOne],
  ['accept / empty handler, 1 account', acceptOne, emptyHandler],
  ['accept / acceptance statement alone, 1 account', acceptOne, 'raw: acceptance statement, 1 account'],
  ['accept / BullMQ add alone, 1 account', acceptOne, 'raw: BullMQ add'],
  ['verifyotp, not found, with to / empty handler', 'otp: verifyotp, not found, with to', emptyHandler],
  ['verifyotp, verified, with to / empty handler', 'otp: verifyotp, verified, with to', emptyHandler],
  ['sendotp / accept, 100 accounts', 'otp: sendotp', acceptMany],
  ...(
    [
      ['instant carrier', 1.6],
      ['carrier that takes 100 ms', 1.9],
    ] as const
  ).map(
    ([carrier, atLeast]) =>
      [
        `two workers / one, ${carrier}`,
        `scaling: two workers, ${carrier}`,
        `scaling: one worker, ${carrier}`,
        { atLeast },
      ] as const,
  ),
  ['to carrier / BullMQ process alone', toCarrier, 'raw: BullMQ process'],
  ['to carrier / accept, 1 account', toCarrier, acceptOne],
];

/** Collects what is measured and prints it at the end. */
export class Report {
  private part = '';
  private readonly figures: Figure[] = [];
  private readonly checks: Check[] = [];
  private readonly logs: (Complaint & { readonly part: string; readonly program: string })[] = [];

  constructor(private readonly machine: Record<string, string>) {}

  /** Starts a part: everything reported from now on belongs to it. */
  begin(part: string): void {
    this.part = part;
    this.progress(`${part} …`);
  }

  figure(name: string, value: number, unit: Figure['unit'], extras: Extras = {}): void {
    this.figures.push({ part: this.part, name, value, unit, ...extras });
    this.progress(`${this.part}: ${name}: ${Math.round(value)} ${unit}`);
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

  /** Whether every check held. */
  get isSound(): boolean {
    return this.checks.every(({ isSo }) => isSo);
  }

  toText(): string {
    const machine = Object.entries(this.machine).map(([name, value]) => `${name}: ${value}`);
    const ratios = this.ratios();
    const broken = this.checks.filter(({ isSo }) => !isSo);
    const logs = this.logs.map(
      ({ part, program, text, count, example }) =>
        `log  ${part}, ${program}: ${text} (${count} times), first: ${example}`,
    );
    return [
      machine.join('\n'),
      figureTable(this.figures),
      ...(ratios.length > 0 ? [ratioTable(ratios)] : []),
      `${this.checks.length - broken.length} of ${this.checks.length} checks held`,
      ...broken.map(({ part, promise, seen }) => `BROKEN  ${part}: ${promise}: ${seen}`),
      logs.length === 0 ? 'No warning or error in any log' : logs.join('\n'),
    ].join('\n\n');
  }

  toJson(): string {
    const { machine, figures, checks, logs } = this;
    return `${JSON.stringify({ machine, figures, ratios: this.ratios(), checks, logs }, null, 2)}\n`;
  }

  private ratios(): Ratio[] {
    const values = new Map(this.figures.map(({ part, name, value }) => [`${part}: ${name}`, value]));
    return wantedRatios.flatMap(([name, of, by, goal]) => {
      const [above, below] = [values.get(of), values.get(by)];
      return above === undefined || below === undefined ? [] : [{ name, value: above / below, goal }];
    });
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
    figure.name,
    `${number(figure.value)} ${unitTexts[figure.unit]}`,
    figure.p50Ms === undefined ? '' : number(figure.p50Ms),
    figure.p99Ms === undefined ? '' : number(figure.p99Ms),
    goalText(figure),
    figure.note ?? '',
  ]);
  return table(['part', 'what', 'figure', 'p50 ms', 'p99 ms', 'goal', 'note'], rows, [2, 3, 4]);
}

export function ratioTable(ratios: readonly Ratio[]): string {
  const rows = ratios.map((ratio) => [ratio.name, `${ratio.value.toFixed(2)} ×`, goalText(ratio)]);
  return table(['ratio', 'value', 'goal'], rows, [1]);
}

function number(value: number): string {
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
