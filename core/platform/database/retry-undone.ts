import { isRetryable } from './database-error.js';

const ATTEMPTS_MAX = 3;

/** Runs a statement or a transaction, and again where Postgres undid it for a deadlock or a serialization failure. */
export async function retryUndone<Out>(run: () => Promise<Out>, attemptsMax = ATTEMPTS_MAX): Promise<Out> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isRetryable(error) || attempt >= attemptsMax) throw error;
    }
  }
}
