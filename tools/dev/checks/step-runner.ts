import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { colour } from '../colour.js';
import type { ProcessGroup, RunningProcess } from '../processes/process-group.js';
import { waitUntil } from '../processes/wait-until.js';
import { StartError } from '../start-error.js';
import { addTallies, checkTally, runnerTally, type Tally } from './tally.js';

const runnerBoundMs = 60 * 60_000;
// From its results to its end.
const lingerBoundMs = 30_000;
const lookEveryMs = 100;

interface StepResult {
  name: string;
  tally: Tally;
  tookMs: number;
}

/** Runs the steps one after the other, each in spite of earlier failures, and keeps their results. */
export class StepRunner {
  private readonly results: StepResult[] = [];

  constructor(
    private readonly root: string,
    private readonly group: ProcessGroup,
  ) {}

  /** The sum of all steps so far. */
  get total(): Tally {
    return addTallies(this.results.map(({ tally }) => tally));
  }

  /** Runs a step; one that throws has failed, and its reason is shown. */
  async step(name: string, run: () => Promise<Tally>): Promise<void> {
    if (this.group.isStopping) return;
    console.log(colour('bold', `\n▸ ${name}`));
    const startedAtMs = Date.now();
    let tally: Tally;
    try {
      tally = await run();
    } catch (error) {
      console.error(error instanceof StartError ? error.message : error);
      tally = checkTally(false);
    }
    const result = { name, tally, tookMs: Date.now() - startedAtMs };
    this.results.push(result);
    console.log(summaryLine(result));
  }

  /** Runs a script of node_modules with its output shown, and answers its exit code. */
  async script(script: string, args: string[], env: Record<string, string> = {}): Promise<number | null> {
    const child = await this.start(script, args, env);
    return (await child.ended).code;
  }

  /** Runs a test runner, and reads the numbers out of the JSON file that it writes. */
  async runner(
    resultsFile: string,
    tallyOf: (results: string) => Tally,
    ...[script, args, env = {}]: Parameters<StepRunner['script']>
  ): Promise<Tally> {
    const child = await this.start(script, args, env);
    let code: number | null | undefined;
    void child.ended.then((end) => (code = end.code));
    const hasEnded = () => code !== undefined;
    await waitUntil(() => hasEnded() || existsSync(resultsFile), runnerBoundMs, lookEveryMs);
    if (!(await waitUntil(hasEnded, lingerBoundMs, lookEveryMs))) {
      console.error(
        'The runner does not end: its tests left something open, or take too long. It is stopped, as a failure.',
      );
      await this.group.stop(child);
    }
    if (existsSync(resultsFile)) return runnerTally(tallyOf(readFileSync(resultsFile, 'utf8')), code ?? null);
    console.error('The runner gave no results.');
    return runnerTally(undefined, code ?? null);
  }

  /** Prints one line a step. */
  printSummary(): void {
    console.log(colour('bold', '\nSummary'));
    for (const result of this.results) console.log(summaryLine(result));
  }

  private start(script: string, args: string[], env: Record<string, string>): Promise<RunningProcess> {
    return this.group.spawn({
      name: script,
      command: process.execPath,
      args: [join(this.root, 'node_modules', script), ...args],
      env: { ...env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
      cwd: this.root,
      kind: 'task',
      stopRank: 0,
      // Playwright closes browsers and what its tests started on this one only.
      stopSignal: 'SIGINT',
      stopBoundMs: 30_000,
      onOutput: (stdout, stderr) => {
        stdout.pipe(process.stdout, { end: false });
        stderr.pipe(process.stderr, { end: false });
      },
    });
  }
}

function summaryLine({ name, tally, tookMs }: StepResult): string {
  const isGood = tally.failed + tally.skipped === 0;
  const skipped = tally.skipped > 0 ? `, ${tally.skipped} skipped (none may be)` : '';
  const numbers = `${tally.passed} passed, ${tally.failed} failed${skipped}`;
  return `${isGood ? colour('green', '✓') : colour('red', '✗')} ${name.padEnd(24)} ${numbers} (${(tookMs / 1000).toFixed(1)} s)`;
}
