import { Global, Module, type DynamicModule } from '@nestjs/common';
import { LOGGER, type Logger } from './logger.js';

/** Hands the process's logger to everything. */
@Global()
@Module({})
export class LoggingModule {
  static of(logger: Logger): DynamicModule {
    return { module: LoggingModule, providers: [{ provide: LOGGER, useValue: logger }], exports: [LOGGER] };
  }
}
