import type { Complaint } from '../../testkit/log-lines.js';
import type { Check, Figure, Ratio } from './figure.js';
import { figureTable, ratioTable } from './table.js';

interface LogComplaint extends Complaint {
  readonly part: string;
  readonly program: string;
}

/** Collects what is measured and prints it at the end. */
export class Report {
  private readonly figures: Figure[] = [];
  private readonly checks: Check[] = [];
  private readonly logs: LogComplaint[] = [];

  constructor(private readonly machine: Record<string, string>) {}

  figure(figure: Figure): void {
    this.figures.push(figure);
    this.progress(`${figure.part}: ${figure.name}: ${Math.round(figure.value)} ${figure.unit}`);
  }

  check(part: string, promise: string, { isSo, seen }: Pick<Check, 'isSo' | 'seen'>): void {
    this.checks.push({ part, promise, isSo, seen });
  }

  complaints(part: string, program: string, complaints: readonly Complaint[]): void {
    this.logs.push(...complaints.map((complaint) => ({ part, program, ...complaint })));
  }

  /** Tells the person who waits what is going on; the figures themselves go to standard output. */
  progress(line: string): void {
    process.stderr.write(`bench  ${line}\n`);
  }

  /** Whether everything held that must hold for the figures to mean anything. */
  get isSound(): boolean {
    return this.checks.every(({ isSo }) => isSo);
  }

  toText(): string {
    const ratios = this.ratios();
    const kept = this.checks.filter(({ isSo }) => isSo).length;
    return [
      Object.entries(this.machine)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
      figureTable(this.figures),
      ratios.length > 0 ? ratioTable(ratios) : '',
      `${kept} of ${this.checks.length} checks held`,
      ...this.checks
        .filter(({ isSo }) => !isSo)
        .map(({ part, promise, seen }) => `BROKEN  ${part}: ${promise}: ${seen}`),
      this.logs.length === 0
        ? 'No warning or error in any log'
        : this.logs
            .map((log) => `log  ${log.part}, ${log.program}: ${log.text} (${log.count} times), first: ${log.example}`)
            .join('\n'),
    ]
      .filter((block) => block !== '')
      .join('\n\n');
  }

  toJson(): string {
    const { machine, figures, checks, logs } = this;
    return `${JSON.stringify({ machine, figures, ratios: this.ratios(), checks, logs }, null, 2)}\n`;
  }

  private ratios(): Ratio[] {
    return wantedRatios.flatMap(({ name, of, by, goal }) => {
      const [above, below] = [of, by].map((wanted) => this.valueOf(wanted));
      if (above === undefined || below === undefined) return [];
      return [{ name, value: above / below, ...(goal && { goal }) }];
    });
  }

  private valueOf({ part, name }: Pick<Figure, 'part' | 'name'>): number | undefined {
    return this.figures.find((figure) => figure.part === part && figure.name === name)?.value;
  }
}

const acceptOne = { part: 'accept', name: '1 account' };
const acceptMany = { part: 'accept', name: '100 accounts' };

const wantedRatios = [
  {
    name: 'accept / plain TypeORM, 1 account',
    of: acceptOne,
    by: { part: 'plain', name: '1 account' },
    goal: { atLeast: 3 },
  },
  {
    name: 'accept / plain TypeORM, 100 accounts',
    of: acceptMany,
    by: { part: 'plain', name: '100 accounts' },
    goal: { atLeast: 3 },
  },
  {
    name: 'accept with rate limits / without, 1 account',
    of: { part: 'accept', name: '1 account, rate limits on' },
    by: acceptOne,
    goal: undefined,
  },
  {
    name: 'accept / empty handler, 1 account',
    of: acceptOne,
    by: { part: 'raw', name: 'empty handler' },
    goal: undefined,
  },
  {
    name: 'accept / admission statement alone, 1 account',
    of: acceptOne,
    by: { part: 'raw', name: 'admission statement, 1 account' },
    goal: undefined,
  },
  {
    name: 'accept / BullMQ add alone, 1 account',
    of: acceptOne,
    by: { part: 'raw', name: 'BullMQ add' },
    goal: undefined,
  },
  {
    name: 'verifyotp, not found, with to / empty handler',
    of: { part: 'otp', name: 'verifyotp, not found, with to' },
    by: { part: 'raw', name: 'empty handler' },
    goal: undefined,
  },
  {
    name: 'verifyotp, verified, with to / empty handler',
    of: { part: 'otp', name: 'verifyotp, verified, with to' },
    by: { part: 'raw', name: 'empty handler' },
    goal: undefined,
  },
  {
    name: 'sendotp / accept, 100 accounts',
    of: { part: 'otp', name: 'sendotp' },
    by: acceptMany,
    goal: undefined,
  },
  {
    name: 'two workers / one, instant carrier',
    of: { part: 'scaling', name: 'two workers, instant carrier' },
    by: { part: 'scaling', name: 'one worker, instant carrier' },
    goal: { atLeast: 1.6 },
  },
  {
    name: 'two workers / one, carrier that takes 100 ms',
    of: { part: 'scaling', name: 'two workers, carrier that takes 100 ms' },
    by: { part: 'scaling', name: 'one worker, carrier that takes 100 ms' },
    goal: { atLeast: 1.9 },
  },
  {
    name: 'to carrier / BullMQ process alone',
    of: { part: 'carrier', name: 'instant carrier' },
    by: { part: 'raw', name: 'BullMQ process' },
    goal: undefined,
  },
  {
    name: 'to carrier / accept, 1 account',
    of: { part: 'carrier', name: 'instant carrier' },
    by: acceptOne,
    goal: undefined,
  },
];
