import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { type INestApplicationContext, Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Logger } from '../telemetry/logger.js';
import { EnvironmentError, loadEnv, logsAreJson, unknownNamesOfDotEnv } from '../config/env.js';
import { isDatabaseUnavailable } from '../errors/database-error.js';

/** State of the shutdown: the process still serves, but reports not ready. */
@Injectable()
export class Draining {
  private begun = false;

  get isOn(): boolean {
    return this.begun;
  }

  begin(): void {
    this.begun = true;
  }
}

/**
 * Shuts the process down on a signal. After SIGTERM it reports not ready and keeps serving until
 * its load balancer has noticed; after SIGINT (Ctrl-C) it does not wait. Then running work is
 * finished within a time limit. A second signal exits at once.
 */
export function stopOnSignals(app: INestApplicationContext): void {
  const { stopping } = app.get(Config);
  const logger = app.get(Logger);
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    const drainMs = signal === 'SIGTERM' ? stopping.drainMs : 0;
    logger.info({ signal, drainMs }, 'stopping');
    app.get(Draining, { strict: false }).begin();
    await pause(drainMs);
    const bound = setTimeout(() => {
      logger.error({ withinMs: stopping.withinMs }, 'stopped with work still running');
      logger.flush();
      process.exit(1);
    }, stopping.withinMs);
    await app.close();
    clearTimeout(bound);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stop(signal).catch((err: unknown) => {
        logger.error({ err }, 'shutdown failed');
        process.exit(1);
      });
    });
  }
}

/**
 * Growth of the heap over the live objects of the last full collection that triggers the next
 * collection.
 */
const GROWTH_PERCENT = 20;

/**
 * Makes V8 collect garbage before it allocates more memory. V8's default suits a large machine: a
 * worker with 50 MB of live objects held 300 MB. The maximum heap size does not change.
 */
export function keepHeapLean(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}

/**
 * Starts a program with its settings and its logger. On a failure prints the reason in one line, as
 * JSON when its log is JSON, and ends the process with exit code 1.
 */
export async function startProgram(
  name: 'server' | 'worker' | 'migrate',
  start: (config: Config, logger: Logger) => Promise<void>,
): Promise<void> {
  let database: DatabaseVariable = 'DATABASE_URL';
  try {
    const config = new Config(loadEnv());
    if (name === 'migrate' && config.database.migrationUrl !== config.database.url) database = 'MIGRATION_DATABASE_URL';
    const logger = new Logger({ name, ...config.log });
    const names = unknownNamesOfDotEnv();
    if (names.length > 0) logger.warn({ names }, '.env has names that no program reads');
    await start(config, logger);
  } catch (error) {
    const reason = explainStartFailure(error, database);
    if (logsAreJson(process.stderr.isTTY)) Logger.writeFatal(name, reason);
    else process.stderr.write(`${reason}\n`);
    process.exit(1);
  }
}

/** SQLSTATE of a table, column or function that does not exist. */
const UNMIGRATED: ReadonlySet<string> = new Set(['42P01', '42703', '42883']);

/** The setting whose database a program uses. */
type DatabaseVariable = 'DATABASE_URL' | 'MIGRATION_DATABASE_URL';

/**
 * Explains in one line why a process did not start and how to fix it. Unknown errors are shown with
 * their stack.
 */
export function explainStartFailure(error: unknown, database: DatabaseVariable = 'DATABASE_URL'): string {
  if (error instanceof EnvironmentError) return error.message;
  const code = codeOf(error);
  const message = messageOf(error);
  if (code !== undefined && /^(ERR_TLS_CERT_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/.test(code)) {
    return (
      `A server's certificate is refused (${message}). Fix the host name in the URL, or the file of the authority: ` +
      `sslrootcert in ${database}, REDIS_CA_FILE. docs/security.md describes both.`
    );
  }
  if (message === 'The server does not support SSL connections')
    return `Postgres refuses TLS (${message}). Set ssl = on there; docs/security.md has the steps.`;
  if (code === 'ENOENT' && message.includes('open '))
    return `A file that a setting names is missing (${message}), such as sslrootcert in ${database}.`;
  if (code === 'EADDRINUSE')
    return `A port is in use (${message}). Stop the other process, or set PORT or WORKER_PORT to a free port.`;
  // The program that migrates does not use Redis.
  const remedy = database === 'DATABASE_URL' ? 'DATABASE_URL or REDIS_URL' : database;
  if (code !== undefined && /^(ECONN|ENOTFOUND$|ETIMEDOUT$|EPIPE$|EHOSTUNREACH$|EAI_AGAIN$)/.test(code)) {
    return `A service does not answer (${message || code}). Start it, or fix ${remedy}.`;
  }
  if (isDatabaseUnavailable(error))
    return `Postgres is not available (${message}). Its log has the cause; docs/incidents.md has the steps.`;
  if (code === '28P01' || code === '28000')
    return `Postgres rejects the user (${message}). Fix the user or password in ${database}.`;
  if (code !== undefined && UNMIGRATED.has(code))
    return `The database lacks migrations (${message}). Run migrate: npm run migrate, or the service migrate.`;
  if (code === '42501')
    return (
      `Postgres refuses the role (${message}). Migrations need the role that owns the tables: set ` +
      'MIGRATION_DATABASE_URL, or run ops/postgres/roles.sql again. docs/operating.md describes the roles.'
    );
  if (code === '3D000') return `${message}. Create it (createdb), or fix ${database}.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  // Node's own errors may come from another realm, as under Jest.
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}
