import { StartError } from './start-error.js';

export const demoEmail = 'demo@pennytext.example';
const demoCredits = 100;

/** Runs one of the operator's commands and answers its exit code and what it printed. */
export type RunAdmin = (args: string[]) => Promise<{ code: number | null; output: string; faults: string }>;

/** The demo account's API key; the account is made when there is none. */
export async function demoApiKey(runAdmin: RunAdmin): Promise<string> {
  const shown = await runAdmin(['account', 'show', demoEmail]);
  const known = shown.code === 0 ? apiKeyIn(shown.output) : undefined;
  if (known) return known;
  const made = await runAdmin(['account', 'create', '--email', demoEmail, '--credits', String(demoCredits)]);
  const apiKey = made.code === 0 ? apiKeyIn(made.output) : undefined;
  if (apiKey) return apiKey;
  throw new StartError(`The demo account could not be made: ${firstLine(made.faults || made.output)}`);
}

/** The `apiKey` of the JSON that a command printed. */
export function apiKeyIn(output: string): string | undefined {
  try {
    const { apiKey } = JSON.parse(output) as { apiKey?: unknown };
    return typeof apiKey === 'string' ? apiKey : undefined;
  } catch {
    // Not JSON: the caller reports what was printed.
    return undefined;
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
