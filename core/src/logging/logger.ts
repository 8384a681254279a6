import { pino, type Logger as PinoLogger } from 'pino';

export type Logger = PinoLogger;

/** Injection token of the process's logger. */
export const LOGGER = Symbol('logger');

/** One line per event: an object and a short fixed text. Never a key, a code, a message text or a full phone number. */
export function createLogger(options: { name: string; level: string; pretty: boolean }): Logger {
  const { name, level, pretty } = options;
  if (!pretty) return pino({ name, level });
  const transport = {
    target: 'pino-pretty',
    options: {
      colorize: process.stdout.isTTY,
      ignore: 'pid,hostname,name',
      translateTime: 'SYS:HH:MM:ss',
      singleLine: true,
    },
  };
  return pino({ name, level, transport });
}
