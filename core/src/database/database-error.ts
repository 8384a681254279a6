/** SQLSTATE of an error that Postgres answered, or undefined when it never answered. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return /^[0-9A-Z]{5}$/.test(error.code) && !error.code.startsWith('E') ? error.code : undefined;
}

/** Deadlock or serialization failure: Postgres has undone the statement, and the same statement may be run again. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40P01' || state === '40001';
}

/**
 * The database is away or going away: nothing came back, or SQLSTATE class 08, 57P or 53 (PostgreSQL manual, appendix A).
 * Whether a statement under way took effect is then unknown.
 */
export function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined || /^(08|57P|53)/.test(state);
}
