import type { LoggerService } from '@nestjs/common';
import { destination, pino, stdSerializers, type Logger as Pino } from 'pino';

interface LoggerOptions {
  readonly name: string;
  readonly level: string;
  /** Colored text for a terminal instead of JSON. */
  readonly pretty?: boolean;
}

const STDERR = 2;

/**
 * Writes one line per event: fields and a short constant message. Never log an API key, code,
 * token, message text or full phone number.
 */
export class Logger {
  private readonly pino: Pino;

  constructor({ name, level, pretty = false }: LoggerOptions) {
    const serializers = { err: withoutCustomerData };
    this.pino = pretty
      ? pino({ name, level, serializers, transport: prettyTransport() })
      : pino({ name, level, serializers });
  }

  /**
   * Writes one JSON line to standard error at once, for a process that ends because of it. Level 60
   * is pino's for what is fatal.
   */
  static writeFatal(name: string, message: string): void {
    pino({ name }, destination({ dest: STDERR, sync: true })).fatal(message);
  }

  /** Returns a logger that writes nothing, for tests. */
  static silent(): Logger {
    return new Logger({ name: 'silent', level: 'silent' });
  }

  debug(fields: object, message: string): void {
    this.pino.debug(fields, message);
  }

  info(fields: object, message: string): void {
    this.pino.info(fields, message);
  }

  warn(fields: object, message: string): void {
    this.pino.warn(fields, message);
  }

  error(fields: object, message: string): void {
    this.pino.error(fields, message);
  }

  fatal(fields: object, message: string): void {
    this.pino.fatal(fields, message);
  }
}

/**
 * Passes Nest's own log lines to a {@link Logger}: start-up lines at debug level, warnings and
 * errors at theirs.
 */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown): void {
    this.logger.debug({}, String(message));
  }

  warn(message: unknown): void {
    this.logger.warn({}, String(message));
  }

  error(message: unknown, stack?: unknown): void {
    this.logger.error({ stack }, String(message));
  }
}

/**
 * Fields that Postgres and TypeORM add to their errors; they contain rows, parameters and
 * statements, so customer data.
 */
const customerData = ['detail', 'where', 'query', 'parameters', 'driverError'];

function withoutCustomerData(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  return Object.fromEntries(Object.entries(stdSerializers.err(error)).filter(([name]) => !customerData.includes(name)));
}

function prettyTransport() {
  return {
    target: 'pino-pretty',
    options: {
      colorize: process.stdout.isTTY,
      ignore: 'pid,hostname,name',
      translateTime: 'SYS:HH:MM:ss',
      singleLine: true,
    },
  };
}
