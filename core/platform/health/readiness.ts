import { Injectable, Module } from '@nestjs/common';
import { Postgres } from '../database/postgres.js';
import { Draining } from './lifecycle.js';
import { DispatchQueue } from '../queue/queues.js';
import { MetricsReaders, ReadMetrics, WaitingRowsRepository } from './read-metrics.js';
import { ServiceStatus } from './service-status.js';

export interface ReadinessReport {
  readonly status: 'ok' | 'unavailable';
  readonly database: 'ok' | 'unavailable';
  /** `pending`: a migration of this version has not run. */
  readonly migrations: 'ok' | 'pending' | 'unknown';
  readonly queue: 'ok' | 'unavailable';
  /** The process is shutting down. */
  readonly draining?: true;
}

const ANSWER_WITHIN_MS = 2_000;

/** Checks whether the process can work: database, migrations and queue. */
@Injectable()
export class Readiness {
  private migrated = false;

  constructor(
    private readonly postgres: Postgres,
    private readonly queue: DispatchQueue,
    private readonly draining: Draining,
  ) {}

  async report(): Promise<ReadinessReport> {
    const [database, queue] = await Promise.all([
      answers(this.postgres.isWritable()),
      answers(this.queue.size().then(() => true)),
    ]);
    const migrations = database ? await this.migrations() : 'unknown';
    const { isOn: isDraining } = this.draining;
    const ok = database && queue && migrations === 'ok' && !isDraining;
    return {
      status: ok ? 'ok' : 'unavailable',
      database: database ? 'ok' : 'unavailable',
      migrations,
      queue: queue ? 'ok' : 'unavailable',
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
  providers: [Readiness, Draining, ReadMetrics, MetricsReaders, WaitingRowsRepository, ServiceStatus],
  exports: [Readiness, Draining, ReadMetrics, MetricsReaders, ServiceStatus],
})
export class HealthModule {}
