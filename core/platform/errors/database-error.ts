/**
 * Returns the SQLSTATE of an error from Postgres; undefined for any other error, such as a broken
 * connection.
 */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return /^[0-9A-Z]{5}$/.test(error.code) && !error.code.startsWith('E') ? error.code : undefined;
}

/**
 * Returns whether Postgres rolled the statement back for a deadlock or serialization failure, so
 * that it can be retried.
 */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error);
  return state === '40P01' || state === '40001';
}

/**
 * Returns whether the connection broke or the database is shutting down: no SQLSTATE, or class 08,
 * 57P or 53 (PostgreSQL manual, appendix A). The outcome of the running statement is then unknown.
 */
export function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined || /^(08|57P|53)/.test(state);
}

const NETWORK_CODE = /^(ECONN|EPIPE$|ETIMEDOUT$|EHOSTUNREACH$|ENETUNREACH$|ENOTFOUND$|EAI_AGAIN$)/;
/** Message of pg's pool when no connection becomes free in time. */
const NO_FREE_CONNECTION = 'timeout exceeded when trying to connect';
const NO_CONNECTION = new RegExp(
  '^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|' +
    'Client (has encountered a connection error|was closed) and is not queryable)',
);
/** Message of Citus when a node that the statement needs is down. */
const NODE_DOWN = /^(failure on connection marked as essential|connection to the remote node)/;
/** Errors of TypeORM when a transaction's connection broke between two statements. */
const RELEASED_RUNNER_ERRORS = new Set(['QueryRunnerAlreadyReleasedError', 'QueryRunnerProviderAlreadyReleasedError']);

/** Returns whether a lock was not free within the `lock_timeout` (lock_not_available). */
export function isLockTimeout(error: unknown): boolean {
  const cause = error instanceof Error && 'driverError' in error ? error.driverError : error;
  return sqlState(cause) === '55P03';
}

/** disk_full and io_error. */
const CANNOT_STORE = new Set(['53100', '58030']);

/**
 * Returns whether the server could not store the statement's rows: its disk is full or broken.
 * Reads may go on.
 */
export function isStorageFailure(error: unknown): boolean {
  const cause = error instanceof Error && 'driverError' in error ? error.driverError : error;
  return CANNOT_STORE.has(sqlState(cause) ?? '');
}

/** read_only_sql_transaction: the server is a standby, or a demoted primary. */
const READ_ONLY = '25006';

/**
 * Returns whether the statement certainly had no effect: it was never sent because there was no
 * connection, or the server is read-only.
 */
export function isWithoutEffect(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  return code === 'ECONNREFUSED' || code === READ_ONLY || error.message.startsWith(NO_FREE_CONNECTION);
}

/**
 * Returns whether an error of TypeORM or pg means that the database is unavailable rather than that
 * the statement failed.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if ('driverError' in error && error.driverError !== error) return isDatabaseUnavailable(error.driverError);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const message = 'message' in error && typeof error.message === 'string' ? error.message : '';
  if ('name' in error && typeof error.name === 'string' && RELEASED_RUNNER_ERRORS.has(error.name)) return true;
  if (code === READ_ONLY) return true;
  if (NODE_DOWN.test(message)) return true;
  return NETWORK_CODE.test(code) || /^(08|57P|53)[0-9A-Z]{2,3}$/.test(code) || NO_CONNECTION.test(message);
}

const ATTEMPTS_MAX = 3;

/**
 * Retries a statement or transaction that Postgres rolled back for a deadlock or serialization
 * failure.
 */
export async function retryUndone<Out>(run: () => Promise<Out>, attemptsMax = ATTEMPTS_MAX): Promise<Out> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isRetryable(error) || attempt >= attemptsMax) throw error;
    }
  }
}
