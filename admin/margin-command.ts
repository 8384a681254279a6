import { InvalidArgumentError, Option, type Command } from 'commander';
import { Margin, marginSubjects, type MarginSubject } from '#core/figures/margin.js';
import { newYorkDay } from '#core/rules/time.js';
import { instant, upTo, type RunCommand } from './command-line.js';

const ROWS = 100;
const ROWS_MAX = 10_000;

interface MarginOptions {
  readonly by: MarginSubject;
  readonly since: string;
  readonly entries: number;
}

/** Adds the command. docs/routes.md explains its figures. */
export function addMarginCommand(program: Command, run: RunCommand): void {
  program
    .command('margin')
    .description('Shows what messages earned and what carriers charged for them.')
    .addOption(new Option('--by <subject>', 'grouping of the rows').choices(marginSubjects).default('country'))
    .requiredOption('--since <date>', 'first day in New York, YYYY-MM-DD', pastDay)
    .option('--entries <rows>', `number of rows, up to ${ROWS_MAX}`, upTo(ROWS_MAX), ROWS)
    .action(({ by, since, entries }: MarginOptions) => run((get) => get(Margin).by(by, since, entries)));
}

/** Parses a day that has begun in New York. */
function pastDay(text: string): string {
  if (text.length !== 'YYYY-MM-DD'.length || Number.isNaN(instant(text).getTime()))
    throw new InvalidArgumentError('Give a date, YYYY-MM-DD.');
  const today = newYorkDay(new Date());
  if (text > today) throw new InvalidArgumentError(`It is ${today} in New York: give that day or one before.`);
  return text;
}
