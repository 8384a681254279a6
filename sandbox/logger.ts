import { pino, type Logger } from 'pino';

/** The sandbox's log: JSON lines, or in the form of the product's own for people. */
export function createLogger(format: 'json' | 'pretty'): Logger {
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
