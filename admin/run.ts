import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
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
      const app = await containerOf(config, operator);
      try {
        print(await work(app));
      } finally {
        await closed(app);
      }
    });
  };
}

/**
 * As {@link runnerOver} for several commands, which share a container: building it takes most of the time of
 * a command.
 */
export function sharedRunnerOver(
  config: Config,
  print: (result: object) => void,
): { run: Run; close(): Promise<void> } {
  const containers = new Map<string | undefined, INestApplicationContext>();
  const shared = async (operator: string | undefined) => {
    const known = containers.get(operator);
    if (known) return known;
    const app = await containerOf(config, operator);
    containers.set(operator, app);
    return app;
  };
  return {
    run: (work, operator) =>
      whileDatabaseAnswers(config.database, async () => print(await work(await shared(operator)))),
    close: async () => {
      await Promise.all([...containers.values()].map(closed));
    },
  };
}

function containerOf(config: Config, operator: string | undefined): Promise<INestApplicationContext> {
  const logger = new Logger({ name: 'admin', level: 'error', pretty: false });
  return NestFactory.createApplicationContext(AdminModule.of(config, logger, operator), {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
}

async function closed(app: INestApplicationContext): Promise<void> {
  await Promise.race([app.close(), pause(CLOSE_WITHIN_MS)]);
}
