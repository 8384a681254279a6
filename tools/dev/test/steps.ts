import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program, StartError } from '../../testkit/program.js';
import { until } from '../../testkit/until.js';
import { color } from '../box.js';
import { addTallies, checkTally, flakyLines, lastLine, runnerTally, type Tally } from './tally.js';

const RUNNER_BOUND_MS = 65 * 60_000;
// Time from a runner's results to its end.
const LINGER_BOUND_MS = 30_000;

/** A script of node_modules to run, with its arguments. */
export interface Script {
  readonly script: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

interface StepResult {
  readonly name: string;
  readonly tally: Tally;
  readonly tookMs: number;
}

/** Runs the steps of `npm test`, each in spite of earlier failures, and keeps their results. */
export class Steps {
  private readonly results: StepResult[] = [];
  private readonly running = new Set<Program>();
  isInterrupted = false;

  constructor(private readonly root: string) {}

  get total(): Required<Tally> {
    return addTallies(this.results.map(({ tally }) => tally));
  }

  /**
   * Runs a step; a step that throws has failed, and its reason is printed. `work` prints through
   * the function it receives.
   */
  async step(name: string, work: (print?: (line: string) => void) => Promise<Tally>, isBeside = false): Promise<void> {
    if (this.isInterrupted) return;
    const startedAtMs = Date.now();
    // The output of steps that run side by side is kept together.
    const lines: string[] = [];
    if (!isBeside) console.log(color('bold', `\n▸ ${name}`));
    let tally: Tally;
    try {
      tally = await work(isBeside ? (line) => lines.push(line) : undefined);
    } catch (error) {
      lines.push(error instanceof StartError ? error.message : String(error instanceof Error ? error.stack : error));
      tally = checkTally(false);
    }
    if (isBeside) console.log(color('bold', `\n▸ ${name}`));
    if (lines.length > 0) console.log(lines.join('\n'));
    const result = { name, tally, tookMs: Date.now() - startedAtMs };
    this.results.push(result);
    console.log(summaryLine(result));
  }

  /** A tool that answers by its exit code. */
  async check(script: Script, print?: (line: string) => void): Promise<Tally> {
    const { code } = await this.start(script, print).ended;
    return checkTally(code === 0);
  }

  /** A test runner, whose numbers are read from the JSON file that it writes. */
  async runner(script: Script, resultsFile: string, tallyOf: (json: string) => Tally): Promise<Tally> {
    const program = this.start(script);
    await until(script.script, () => !program.isRunning || existsSync(resultsFile), { timeoutMs: RUNNER_BOUND_MS });
    try {
      await until('the runner ends', () => !program.isRunning, { timeoutMs: LINGER_BOUND_MS });
    } catch {
      console.error('The runner does not end: its tests leave something open. It is stopped, as a failure.');
      await program.stop('SIGINT');
    }
    const { code } = await program.ended;
    return runnerTally(existsSync(resultsFile) ? tallyOf(readFileSync(resultsFile, 'utf8')) : undefined, code);
  }

  printSummary(): void {
    console.log(color('bold', '\nSummary'));
    for (const result of this.results) console.log(summaryLine(result));
    for (const line of flakyLines(this.total.flaky)) console.log(line);
  }

  /** Playwright closes browsers and what its tests started on SIGINT only. */
  async interrupt(): Promise<void> {
    this.isInterrupted = true;
    await Promise.all([...this.running].map((program) => program.stop('SIGINT')));
  }

  private start({ script, args, env }: Script, onLine?: (line: string) => void): Program {
    const program = new Program({
      name: script,
      command: process.execPath,
      args: [join(this.root, 'node_modules', script), ...args],
      env: { ...process.env, ...env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
      cwd: this.root,
      detached: true,
      stopBoundMs: 30_000,
      ...(onLine && { onLine }),
    });
    this.running.add(program);
    void program.ended.finally(() => this.running.delete(program)).catch(() => undefined);
    return program;
  }
}

function summaryLine({ name, tally, tookMs }: StepResult): string {
  const mark = tally.failed === 0 ? color('green', '✓') : color('red', '✗');
  return `${mark} ${name.padEnd(24)} ${(tookMs / 1000).toFixed(1).padStart(7)} s  ${lastLine(tally)}`;
}
