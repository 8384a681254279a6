import { execFile } from 'node:child_process';

/** How a program ended that ran to its end. */
export interface NodeRun {
  /** null: it was killed, by the bound or otherwise. */
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a compiled file to its end, with PATH, HOME and `env` as its environment. */
export function runNode(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  timeoutMs: number,
): Promise<NodeRun> {
  const { PATH = '', HOME = '' } = process.env;
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [file, ...args],
      { env: { PATH, HOME, ...env }, timeout: timeoutMs },
      (_error, output, errors) => resolve({ code: child.exitCode, output, errors }),
    );
  });
}
