import { pino, stdSerializers, type Logger as PinoLogger } from 'pino';

export type Logger = PinoLogger;

/** Injection token of the process's logger. */
export const LOGGER = Symbol('logger');

/** One line per event: an object and a short fixed text. Never a key, a code, a message text or a full phone number. */
export function createLogger(options: { name: string; level: string; pretty: boolean }): Logger {
  const { name, level, pretty } = options;
  const serializers = { err: withoutContents };
  if (!pretty) return pino({ name, level, serializers });
  const transport = {
    target: 'pino-pretty',
    options: {
      colorize: process.stdout.isTTY,
      ignore: 'pid,hostname,name',
      translateTime: 'SYS:HH:MM:ss',
      singleLine: true,
    },
  };
  return pino({ name, level, serializers, transport });
}

/** Postgres and TypeORM hang rows, parameters and statements on their errors: texts and numbers of customers. */
const contents = ['detail', 'where', 'query', 'parameters', 'driverError'];

function withoutContents(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  return Object.fromEntries(Object.entries(stdSerializers.err(error)).filter(([name]) => !contents.includes(name)));
}
