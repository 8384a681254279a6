import { StartError, type Run } from '../testkit/program.js';

export const demoEmail = 'demo@pennytext.example';
const demoCredits = 100;
/** Name in the audit log, in place of the login. */
const demoOperator = 'npm-start';

export type RunAdmin = (args: string[]) => Promise<Run>;

/** The demo account's API key; creates the account when there is none. */
export async function demoApiKey(runAdmin: RunAdmin): Promise<string> {
  const shown = await runAdmin(['account', 'show', demoEmail]);
  const known = shown.code === 0 ? apiKeyIn(shown.output) : undefined;
  if (known) return known;
  const newAccount = ['account', 'create', '--email', demoEmail, '--credits', String(demoCredits)];
  const made = await runAdmin(['--as', demoOperator, ...newAccount]);
  const apiKey = made.code === 0 ? apiKeyIn(made.output) : undefined;
  if (apiKey) return apiKey;
  const [line = ''] = (made.errors || made.output).trim().split('\n');
  throw new StartError(`The demo account could not be made: ${line}`);
}

/** The `apiKey` of the JSON that a command printed. */
export function apiKeyIn(output: string): string | undefined {
  try {
    const { apiKey } = JSON.parse(output) as { apiKey?: unknown };
    return typeof apiKey === 'string' ? apiKey : undefined;
  } catch {
    // The output is not JSON: the caller reports it.
    return undefined;
  }
}
