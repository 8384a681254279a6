import { once } from 'node:events';
import { spawn, spawnSync } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { caseFiles, casesIn, type ConformanceCase } from '../case.js';
import { conformanceServer } from '../conformance-server.js';

/** A program that runs the cases with a client of its language. */
export interface Runner {
  readonly command: string;
  /** The address of the server is added as the last argument. */
  readonly args: readonly string[];
  readonly cwd: string;
}

interface Verdict {
  readonly name: string;
  readonly passed: boolean;
  readonly differences: readonly string[];
}

const folder = join(__dirname, '..');
const SUITE_BOUND_MS = 120_000;

/** `describe` where a tool is on this machine, and in CI, which installs all of them. */
export function whereTool(command: string, versionOption = '--version'): jest.Describe {
  const isPresent =
    (process.env['CI'] !== undefined && process.platform === 'linux') ||
    !spawnSync(command, [versionOption], { stdio: 'ignore' }).error;
  return isPresent ? describe : describe.skip;
}

/**
 * Declares the conformance suite for a client in another language. Its runner prints a line of JSON
 * for each case: `{"name", "passed", "differences"}`. `lacks` are the features that the language
 * does not have: it prints no line for cases that need them. `start` may build the runner first.
 */
export function describeConformance(
  where: jest.Describe,
  language: string,
  start: () => Runner,
  lacks: readonly ConformanceCase['needs'][] = [],
): void {
  where(`the ${language} client and the conformance suite`, () => {
    const cases = caseFiles(folder).flatMap((file) => casesIn(file));
    const wanted = cases.filter(({ needs }) => needs === undefined || !lacks.includes(needs)).map(({ name }) => name);
    const verdicts = new Map<string, Verdict>();
    let end = '';

    beforeAll(async () => {
      const server = conformanceServer(folder);
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { command, args, cwd } = start();
      const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const program = spawn(command, [...args, address], { cwd });
      const errors: string[] = [];
      program.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
      const ended = once(program, 'close');
      for await (const line of createInterface({ input: program.stdout })) {
        const verdict = JSON.parse(line) as Verdict;
        verdicts.set(verdict.name, verdict);
      }
      await ended;
      end = errors.join('');
      server.close();
      server.closeAllConnections();
    }, SUITE_BOUND_MS);

    it('run all cases and no others, and print nothing else', () => {
      expect(end).toBe('');
      expect([...verdicts.keys()].sort()).toEqual([...wanted].sort());
    });

    it.each(wanted.map((name) => [name.replaceAll('-', ' '), name] as const))('%s', (_title, name) => {
      expect(verdicts.get(name)).toEqual({ name, passed: true, differences: [] });
    });
  });
}
