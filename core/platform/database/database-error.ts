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

const NETWORK_CODE = /^(ECONN|EPIPE$|ETIMEDOUT$|EHOSTUNREACH$|ENETUNREACH$|ENOTFOUND$|EAI_AGAIN$)/;
/** As pg's pool words it when it cannot give a connection in time. */
const NO_FREE_CONNECTION = 'timeout exceeded when trying to connect';
const NO_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered a connection error|was closed) and is not queryable)/;
/** A transaction's connection broke between two statements: TypeORM has released it and fails at the next statement. */
const LET_GO = new Set(['QueryRunnerAlreadyReleasedError', 'QueryRunnerProviderAlreadyReleasedError']);

/** read_only_sql_transaction: a standby, or a primary that has been made one. */
const READ_ONLY = '25006';

/**
 * Nothing of the statement can have taken effect: it was never sent, as no connection was to be had, or it met a database that
 * may not write.
 */
export function isWithoutEffect(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return code === 'ECONNREFUSED' || code === READ_ONLY || error.message.startsWith(NO_FREE_CONNECTION);
}

/** Whether an error of TypeORM or pg means that the database is unavailable, rather than an error of the statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('driverError' in error && error.driverError !== error) return isDatabaseUnavailable(error.driverError);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const message = 'message' in error && typeof error.message === 'string' ? error.message : '';
  if ('name' in error && typeof error.name === 'string' && LET_GO.has(error.name)) return true;
  if (code === READ_ONLY) return true;
  return NETWORK_CODE.test(code) || /^(08|57P|53)[0-9A-Z]{2,3}$/.test(code) || NO_CONNECTION.test(message);
}
