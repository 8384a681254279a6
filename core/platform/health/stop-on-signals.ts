import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { Config } from '../config/config.js';
import { Logger } from '../telemetry/logger.js';
import { Draining } from './draining.js';

/**
 * Ends a process that is told to. At SIGTERM it says at once that it is not ready, and still serves while its balancer takes
 * notice; at SIGINT, which is a person's, it does not wait. Then what runs is finished, within a bound. A second signal ends
 * it at once.
 */
export function stopOnSignals(app: INestApplicationContext): void {
  const { stopping } = app.get(Config);
  const logger = app.get(Logger);
  let isStopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    const drainMs = signal === 'SIGTERM' ? stopping.drainMs : 0;
    logger.info({ signal, drainMs }, 'stopping');
    app.get(Draining, { strict: false }).begin();
    await pause(drainMs);
    const bound = setTimeout(() => {
      logger.error({ withinMs: stopping.withinMs }, 'stopped with work still running');
      process.exit(1);
    }, stopping.withinMs);
    await app.close();
    clearTimeout(bound);
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stop(signal).catch((err: unknown) => {
        logger.error({ err }, 'not stopped in order');
        process.exit(1);
      });
    });
  }
}
