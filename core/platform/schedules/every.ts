import { DiscoveryService } from '@nestjs/core';
import type { Config } from '../config/config.js';

/** A task that each worker runs at an interval, one run at a time. */
export interface Schedule {
  /** Name in logs and metrics. */
  readonly name: string;
  /** Pause between two runs, in milliseconds; null when the configuration switches the task off. */
  readonly everyMs: number | ((config: Config) => number | null);
  /**
   * Runs again without a pause while there is more to do, according to a run's result: true, or the
   * number of rows that it has processed.
   */
  readonly whileMore?: boolean;
  /** Runs for the whole database together, not for each part of a divided database in turn. */
  readonly wholeDatabase?: boolean;
}

/** Result of a run: whether there is more to do, or the number of processed rows. */
export type ScheduledRun = boolean | number | void;

/**
 * Declares a method as a scheduled task. The worker finds the methods of all its providers; servers
 * and the operator's commands run no tasks.
 */
export const Every = DiscoveryService.createDecorator<Schedule>();
