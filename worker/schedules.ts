import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { Config } from '#core/platform/config/config.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { Every, type Schedule, type ScheduledRun } from '#core/platform/schedules/every.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { Metrics } from '#core/platform/telemetry/metrics.js';

interface ScheduledTaskOptions {
  readonly name: string;
  readonly everyMs: number;
  /** Resolves to true to run again without a pause. */
  readonly run: () => Promise<boolean>;
  readonly logger: Logger;
  /** Called after each run with its result. */
  readonly onRun?: (result: 'done' | 'failed') => void;
}

/** Runs work at an interval, one run at a time, and logs runs that fail. */
export class ScheduledTask {
  private readonly stopping = new AbortController();
  private readonly ended: Promise<void>;

  constructor(private readonly options: ScheduledTaskOptions) {
    this.ended = this.runUntilStopped();
  }

  /** Starts no further run; resolves when the current one has ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.ended;
  }

  private async runUntilStopped(): Promise<void> {
    const { name, everyMs, run, logger, onRun } = this.options;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const more = await run().then(
        (answer) => {
          onRun?.('done');
          return answer;
        },
        (err: unknown) => {
          onRun?.('failed');
          logger.error({ err, task: name }, 'scheduled task failed');
          return false;
        },
      );
      if (!more) await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

interface DeclaredTask {
  readonly schedule: Schedule;
  readonly run: () => Promise<ScheduledRun>;
}

/** Runs the methods that the features have declared by {@link Every}. */
@Injectable()
export class Schedules {
  private tasks: ScheduledTask[] = [];

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly methods: MetadataScanner,
    private readonly postgres: Postgres,
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  start(): void {
    for (const { schedule, run } of this.declared()) {
      const { everyMs, name, wholeDatabase = false, whileMore = false } = schedule;
      const intervalMs = typeof everyMs === 'number' ? everyMs : everyMs(this.config);
      if (intervalMs === null) continue;
      const runOnAll = async () => isMore(await run()) && whileMore;
      const runOnEach = async () => (await this.postgres.onEachInReach(runOnAll)).includes(true);
      this.begin(intervalMs, name, wholeDatabase ? runOnAll : runOnEach);
    }
  }

  /** Starts no further runs; resolves when the current ones have ended. */
  async stop(): Promise<void> {
    await Promise.all(this.tasks.map((task) => task.stop()));
  }

  /** Throws when two tasks have one name, as when a provider has two instances. */
  private declared(): DeclaredTask[] {
    const declared = this.discovery.getProviders().flatMap((provider) => {
      const instance = provider.instance as Record<string, () => Promise<ScheduledRun>> | null | undefined;
      if (typeof instance !== 'object' || instance === null) return [];
      return this.methods.getAllMethodNames(Object.getPrototypeOf(instance) as object).flatMap((method) => {
        const schedule = this.discovery.getMetadataByDecorator(Every, provider, method);
        return schedule ? [{ schedule, run: async () => instance[method]?.() }] : [];
      });
    });
    const names = declared.map(({ schedule }) => schedule.name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new Error(`Two scheduled tasks are named "${twice}"`);
    return declared;
  }

  private begin(everyMs: number, name: string, run: () => Promise<boolean>): void {
    const { scheduledTaskRuns, scheduledTaskSucceededAt, scheduledTaskInterval } = this.metrics;
    const succeeded = () => scheduledTaskSucceededAt.set({ task: name }, Date.now() / 1_000);
    scheduledTaskInterval.set({ task: name }, everyMs / 1_000);
    // A task that never succeeds has an age too.
    succeeded();
    const onRun = (result: 'done' | 'failed') => {
      scheduledTaskRuns.inc({ task: name, result });
      if (result === 'done') succeeded();
    };
    this.tasks.push(new ScheduledTask({ name, everyMs, run, logger: this.logger, onRun }));
  }
}

function isMore(answer: ScheduledRun): boolean {
  return typeof answer === 'number' ? answer > 0 : answer === true;
}
