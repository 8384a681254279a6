import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from './repository.js';

const run = promisify(execFile);
const folder = join(repository, 'web/src/content/samples');
// A Java or .NET program is compiled first.
const RUN_WITHIN_MS = 60_000;

interface Interpreter {
  readonly file: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Arguments that print the version, which shows that the program is there. */
  readonly version: string;
}

/** Programs that run the samples of each language; a page runs the samples for the browser. */
export const interpreters = {
  curl: { file: 'curl.sh', command: 'bash', args: [], version: '--version' },
  python: { file: 'python.py', command: 'python3', args: [], version: '--version' },
  php: { file: 'php.php', command: 'php', args: [], version: '--version' },
  ruby: { file: 'ruby.rb', command: 'ruby', args: [], version: '--version' },
  nodejs: { file: 'nodejs.mjs', command: process.execPath, args: [], version: '--version' },
  // Programs of a single file, without a project, run from .NET 10 on.
  csharp: { file: 'csharp.cs', command: 'dotnet', args: ['run'], version: '--version' },
  java: { file: 'java.java', command: 'java', args: [], version: '-version' },
} as const satisfies Record<string, Interpreter>;
export type Language = keyof typeof interpreters;

export const languages = Object.keys(interpreters) as Language[];

/** Whether this machine can run a language's samples. */
export function canRun(language: Language): boolean {
  const { command, version } = interpreters[language];
  return spawnSync(command, [version], { stdio: 'ignore' }).status === 0;
}

/** A sample with the reader's values in it, as `[placeholder, value]`. */
export function filledSample(call: string, file: string, values: readonly (readonly [string, string])[]): string {
  let text = readFileSync(join(folder, call, file), 'utf8');
  for (const [placeholder, value] of values) {
    if (!text.includes(placeholder)) throw new Error(`${call}/${file} has no ${placeholder}`);
    text = text.replaceAll(placeholder, value);
  }
  return text;
}

/** Writes a sample to a folder, ready to be run. */
export function writeSample(into: string, file: string, text: string): string {
  mkdirSync(into, { recursive: true });
  const path = join(into, file);
  writeFileSync(path, text);
  return path;
}

/** Runs a sample to its end and returns its output. */
export async function runSample(language: Language, path: string): Promise<string> {
  const { command, args } = interpreters[language];
  const { stdout } = await run(command, [...args, path], { timeout: RUN_WITHIN_MS });
  return stdout;
}
