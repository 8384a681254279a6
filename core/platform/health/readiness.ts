import { Injectable, Module } from '@nestjs/common';
import { Postgres } from '../database/postgres.js';
import { Draining } from '../process/lifecycle.js';
import { DispatchQueue } from '../queue/queues.js';
import { SharedCounters } from '../queue/shared-counters.js';
import { ReadMetrics } from './read-metrics.js';
import { MetricsReaders } from './metrics-access.js';
import { Snapshot } from '../database/snapshot.js';
import { VerifiedBackups } from './verified-backups.js';
import { WaitingRowsRepository } from './waiting-rows.js';

export interface ReadinessReport {
  readonly status: 'ok' | 'unavailable';
  /** `unavailable`: no answer, or no writes because the server is a standby or its disk is full. */
  readonly database: 'ok' | 'unavailable';
  /** `pending`: a migration of this version has not run. */
  readonly migrations: 'ok' | 'pending' | 'unknown';
  /**
   * Not `ok`: no answer, or no writes because it is full. `degraded` if the process works without
   * it.
   */
  readonly queue: 'ok' | 'degraded' | 'unavailable';
  /** The process is shutting down. */
  readonly draining?: true;
}

const ANSWER_WITHIN_MS = 2_000;
const QUEUE_FRESH_MS = 1_000;

/**
 * Checks whether the process can work: database and migrations, and the queue if it needs it. A
 * server accepts messages without a queue, so it stays in the balancer; a worker gets its jobs from
 * there.
 */
@Injectable()
export class Readiness {
  private migrated = false;
  /** Writes a key, so all callers within a second share the result. */
  private readonly queueWorks = new Snapshot({
    read: async () => {
      const [writable] = await Promise.all([this.counters.isWritable(), this.queue.size()]);
      return writable;
    },
    freshMs: QUEUE_FRESH_MS,
    patienceMs: ANSWER_WITHIN_MS,
  });

  constructor(
    private readonly postgres: Postgres,
    private readonly queue: DispatchQueue,
    private readonly counters: SharedCounters,
    private readonly draining: Draining,
  ) {}

  async report({ needsQueue }: { needsQueue: boolean }): Promise<ReadinessReport> {
    const [database, queue] = await Promise.all([
      answers(this.postgres.isWritable()),
      this.queueWorks.get().catch(() => false),
    ]);
    const migrations = database ? await this.migrations() : 'unknown';
    const { isOn: isDraining } = this.draining;
    const ok = database && (queue || !needsQueue) && migrations === 'ok' && !isDraining;
    return {
      status: ok ? 'ok' : 'unavailable',
      database: database ? 'ok' : 'unavailable',
      migrations,
      queue: queue ? 'ok' : needsQueue ? 'unavailable' : 'degraded',
      ...(isDraining && { draining: true }),
    };
  }

  private async migrations(): Promise<'ok' | 'pending'> {
    this.migrated ||= await this.postgres.isMigrated();
    return this.migrated ? 'ok' : 'pending';
  }
}

async function answers(asked: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ANSWER_WITHIN_MS);
  });
  try {
    return await Promise.race([asked.catch(() => false), late]);
  } finally {
    clearTimeout(timer);
  }
}

@Module({
  providers: [Readiness, Draining, ReadMetrics, MetricsReaders, VerifiedBackups, WaitingRowsRepository],
  exports: [Readiness, Draining, ReadMetrics, MetricsReaders, VerifiedBackups, WaitingRowsRepository],
})
export class HealthModule {}
