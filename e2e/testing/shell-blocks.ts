import { run } from '../../tools/testkit/program.js';

const COMMAND_WITHIN_MS = 60_000;

/**
 * Runs a block of commands in bash, which ends at the first that fails, and returns what it
 * printed. Throws with the block and its output when it fails.
 */
export async function runBlock(
  block: string,
  env: Readonly<Record<string, string>>,
  cwd: string,
  user: { readonly uid?: number; readonly gid?: number } = {},
): Promise<string> {
  const { code, output, errors } = await run('bash', ['-euo', 'pipefail', '-c', block], {
    env,
    cwd,
    ...user,
    timeoutMs: COMMAND_WITHIN_MS,
  });
  if (code !== 0) throw new Error(`${block}\nended with ${code}: ${errors}${output}`);
  return output;
}
