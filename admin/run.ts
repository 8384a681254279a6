import { setTimeout as pause } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { Config } from '#core/platform/config/config.js';
import { whileDatabaseAnswers } from '#core/platform/database/data-source.js';
import { Logger, NestLogger } from '#core/platform/telemetry/logger.js';
import { AdminModule } from './admin.module.js';
import type { Run } from './command-line.js';

/** Connections to a service that hangs do not close; the process ends without them. */
const CLOSE_WITHIN_MS = 1_000;

/**
 * Runs a command in the product's container and hands over its result. Throws within seconds when
 * the database, or the queue of a command on queues, does not answer, however long the command
 * itself may take.
 */
export function runnerOver(config: Config, print: (result: object) => void): Run {
  return async (work, operator) => {
    await whileDatabaseAnswers(config.database, async () => {
      const logger = new Logger({ name: 'admin', level: 'error', pretty: false });
      const app = await NestFactory.createApplicationContext(AdminModule.of(config, logger, operator), {
        logger: new NestLogger(logger),
        abortOnError: false,
      });
      try {
        print(await work(app));
      } finally {
        await Promise.race([app.close(), pause(CLOSE_WITHIN_MS)]);
      }
    });
  };
}
