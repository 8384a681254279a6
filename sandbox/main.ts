import { type Logger, pino } from 'pino';
import { fileURLToPath } from 'node:url';
import { readEnv } from './env.js';
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
const sandbox = await startSandbox({ ...env, pagesDir, onError }).catch((error: unknown) => exitWith(explain(error)));
const { url, smtpPort, smppPort } = sandbox;
logger.info({ url, smtpPort, ...(smppPort !== null && { smppPort }) }, 'sandbox listening');

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

/** Explains in one line why the sandbox cannot start. */
function explain(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `${reason}. Ports: SANDBOX_PORT and SANDBOX_SMTP_PORT; address: SANDBOX_HOST; folder: SANDBOX_DATA_DIR.`;
}
