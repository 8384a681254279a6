import { type Logger, pino } from 'pino';
import { fileURLToPath } from 'node:url';
import { type Env, readEnv } from './env.js';
import { type RunningSandbox, startSandbox } from './sandbox.js';

/** Creates the logger: JSON lines, or the human-readable format of the product. */
function createLogger(format: 'json' | 'pretty'): Logger {
  if (format === 'json') return pino({ name: 'sandbox' });
  return pino({
    name: 'sandbox',
    transport: {
      target: 'pino-pretty',
      options: {
        colorize: process.stdout.isTTY,
        ignore: 'pid,hostname,name',
        translateTime: 'SYS:HH:MM:ss',
        singleLine: true,
      },
    },
  });
}

const pagesDir = fileURLToPath(new URL('./ui', import.meta.url));

const env = orExit(() => readEnv());
const logger = createLogger(env.logFormat);
const onError = (error: unknown) => logger.error({ err: error }, 'sandbox error');
const sandbox = await startSandbox({ ...env, pagesDir, onError }).catch((error: unknown) =>
  exitWith(explain(error, env)),
);
logger.info({ url: sandbox.url, smtpPort: sandbox.smtpPort }, 'sandbox listening');

let stopping = false;
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    if (stopping) return;
    stopping = true;
    void stop(sandbox);
  });
}

async function stop(running: RunningSandbox): Promise<void> {
  await running.close();
  logger.info('sandbox stopped');
  process.exit(0);
}

function orExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    return exitWith(error instanceof Error ? error.message : String(error));
  }
}

function exitWith(line: string): never {
  process.stderr.write(`sandbox: ${line}\n`);
  process.exit(1);
}

/** Explains in one line why the sandbox cannot start and how to fix it. */
function explain(error: unknown, { port, smtpPort, host, dataDir }: Env): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const isSmtp = error instanceof Error && 'port' in error && error.port === smtpPort;
  const [taken, name] = isSmtp ? [smtpPort, 'SANDBOX_SMTP_PORT'] : [port, 'SANDBOX_PORT'];
  if (code === 'EADDRINUSE') {
    return `port ${taken} on ${host} is already in use. Stop the program that uses it, or set ${name} to a free port.`;
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `${host} is not an address of this machine. Set SANDBOX_HOST to one, such as 127.0.0.1.`;
  }
  if (code === 'EACCES' && error instanceof Error && 'syscall' in error && error.syscall === 'listen') {
    return `port ${taken} cannot be opened by this user. Set ${name} to a port above 1023.`;
  }
  const reason = error instanceof Error ? error.message : String(error);
  return dataDir === null
    ? reason
    : `${reason}. If SANDBOX_DATA_DIR (${dataDir}) is not writable, set it to a folder that is.`;
}
