import { Injectable } from '@nestjs/common';
import { version } from '../config/version.js';
import { Postgres } from '../database/postgres.js';
import { Logger } from '../telemetry/logger.js';
import { Metrics } from '../telemetry/metrics.js';
import { QueueControl } from '../queue/queue-control.js';
import { CachedRead } from './cached-read.js';
import { WaitingRowsRepository } from './waiting-rows.repository.js';

const FRESH_MS = 10_000;
const PATIENCE_MS = 2_000;

/** What stands in a queue under one name of ours, by BullMQ's names. */
const states: Readonly<Record<string, readonly string[]>> = {
  waiting: ['waiting', 'prioritized'],
  active: ['active'],
  delayed: ['delayed'],
  failed: ['failed'],
};

/**
 * The process's metrics as Prometheus reads them. What has to be asked for is asked every ten seconds at the most, whoever
 * scrapes; what does not answer in time is left out, and `pennytext_dependency_up` says so.
 */
@Injectable()
export class ReadMetrics {
  private readonly rows = new CachedRead({
    read: () => this.waitingRows.count(),
    freshMs: FRESH_MS,
    patienceMs: PATIENCE_MS,
  });
  private readonly queues = new CachedRead({
    read: () => this.queueControl.status(),
    freshMs: FRESH_MS,
    patienceMs: PATIENCE_MS,
  });

  constructor(
    private readonly metrics: Metrics,
    private readonly waitingRows: WaitingRowsRepository,
    private readonly queueControl: QueueControl,
    private readonly postgres: Postgres,
    private readonly logger: Logger,
  ) {
    metrics.buildInfo.set({ version, node_version: process.version }, 1);
  }

  /** Text and its content type. */
  async run(): Promise<{ contentType: string; text: string }> {
    this.readPool();
    await Promise.all([this.readRows(), this.readQueues()]);
    const { registry } = this.metrics;
    return { contentType: registry.contentType, text: await registry.metrics() };
  }

  private readPool(): void {
    const { busy, idle, waiting, max } = this.postgres.load();
    this.metrics.pool.set({ state: 'busy' }, busy);
    this.metrics.pool.set({ state: 'idle' }, idle);
    this.metrics.poolMax.set(max);
    this.metrics.poolWaiting.set(waiting);
  }

  private async readRows(): Promise<void> {
    const { backlog, backlogOldest } = this.metrics;
    const rows = await this.ask('postgres', this.rows.get());
    if (!rows) {
      backlog.reset();
      backlogOldest.reset();
      return;
    }
    for (const { kind, rows: count, oldestAgeSeconds } of rows) {
      backlog.set({ kind }, count);
      backlogOldest.set({ kind }, oldestAgeSeconds);
    }
  }

  private async readQueues(): Promise<void> {
    const { queueJobs, queuePaused } = this.metrics;
    const queues = await this.ask('queue', this.queues.get());
    if (!queues) {
      queueJobs.reset();
      queuePaused.reset();
      return;
    }
    for (const [queue, { isPaused, jobs }] of Object.entries(queues)) {
      queuePaused.set({ queue }, isPaused ? 1 : 0);
      for (const [state, names] of Object.entries(states)) {
        const count = names.reduce((sum, name) => sum + (jobs[name] ?? 0), 0);
        queueJobs.set({ queue, state }, count);
      }
    }
  }

  private async ask<T>(dependency: 'postgres' | 'queue', asked: Promise<T>): Promise<T | undefined> {
    try {
      const answer = await asked;
      this.metrics.dependencyUp.set({ dependency }, 1);
      return answer;
    } catch (err) {
      this.metrics.dependencyUp.set({ dependency }, 0);
      this.logger.warn({ err, dependency }, 'metrics without what does not answer');
      return undefined;
    }
  }
}
