import type { LoggerService } from '@nestjs/common';
import { destination as streamTo, type DestinationStream, pino, stdSerializers, type Logger as Pino } from 'pino';
import { Repeats } from './repeats.js';

interface LoggerOptions {
  readonly name: string;
  readonly level: string;
  /** Colored text for a terminal instead of JSON. */
  readonly pretty?: boolean;
  /** Takes the lines in place of standard output. */
  readonly destination?: DestinationStream;
}

const STDERR = 2;

/**
 * Writes one line per event: fields and a short constant message. Never log an API key, code,
 * token, message text or full phone number.
 *
 * An outage makes every request fail for the same reason. Warnings and errors with an `err` are
 * therefore written once a second for each message and reason; `suppressed` counts the further
 * events that a line stands for.
 */
export class Logger {
  private readonly pino: Pino;
  private readonly repeats = new Repeats();

  constructor({ name, level, pretty = false, destination }: LoggerOptions) {
    const options = { name, level, serializers: { err: withoutCustomerData } };
    if (destination) this.pino = pino(options, destination);
    else this.pino = pino(pretty ? { ...options, transport: prettyTransport() } : options);
  }

  /**
   * Writes one JSON line to standard error at once, for a process that ends because of it. Level 60
   * is pino's `fatal`.
   */
  static writeFatal(name: string, message: string): void {
    pino({ name }, streamTo({ dest: STDERR, sync: true })).fatal(message);
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
    this.write('warn', fields, message);
  }

  error(fields: object, message: string): void {
    this.write('error', fields, message);
  }

  fatal(fields: object, message: string): void {
    this.pino.fatal(fields, message);
  }

  /** Writes the lines that wait for their second to end; call it before the process ends. */
  flush(): void {
    this.repeats.flush();
  }

  private write(level: 'warn' | 'error', fields: object, message: string): void {
    if (!('err' in fields)) return this.pino[level](fields, message);
    this.repeats.pass(`${level} ${message} ${reasonOf(fields.err)}`, (suppressed) =>
      this.pino[level](suppressed === 0 ? fields : { ...fields, suppressed }, message),
    );
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

/**
 * Returns a reason that errors of one cause share: the code if they have one, because messages may
 * name rows.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error ? `${error.name} ${String(error.code)}` : `${error.name} ${error.message}`;
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
