import type { LoggerService } from '@nestjs/common';
import type { Logger } from './logger.js';

/** Nest's own words in our log: its start-up chatter at debug, its warnings and errors as they are. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown): void {
    this.logger.debug(String(message));
  }

  warn(message: unknown): void {
    this.logger.warn(String(message));
  }

  error(message: unknown, stack?: unknown): void {
    this.logger.error({ stack }, String(message));
  }
}
