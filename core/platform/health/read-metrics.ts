import { Injectable } from '@nestjs/common';
import { version } from '../config/config.js';
import { Postgres } from '../database/postgres.js';
import { Logger } from '../telemetry/logger.js';
import { Metrics } from '../telemetry/metrics.js';
import { QueueControl } from '../queue/queue-control.js';
import { SharedCounters } from '../queue/shared-counters.js';
import { Snapshot } from '../database/snapshot.js';
import { VerifiedBackups } from './verified-backups.js';
import { WaitingRowsRepository } from './waiting-rows.js';

const FRESH_MS = 10_000;
const PATIENCE_MS = 2_000;
/** Reading sizes looks at the files of every table. */
const SIZES_FRESH_MS = 300_000;
const TABLES_MAX = 30;

/**
 * Tables with a partition for each month, which retention makes ahead of time: without a partition,
 * rows go to the default partition, and the month can no longer be attached without a scan.
 */
const partitionsStatement = {
  name: 'partition-months-1',
  text: `
SELECT name AS "table", (
  SELECT coalesce(min(ahead), 13)::int - 1 FROM generate_series(0, 12) AS ahead
  WHERE to_regclass(name || to_char((now() AT TIME ZONE 'UTC')::date + make_interval(months => ahead),
    '_YYYY_MM')) IS NULL
) AS months
FROM unnest(ARRAY['messages', 'inbound_messages', 'webhook_attempts']) AS name`,
} as const;

/** The largest tables with their indexes and partitions. */
const tableBytesStatement = {
  name: 'table-bytes-1',
  text: `
SELECT coalesce(p.relname, c.relname) AS "table", coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8 AS bytes
FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid LEFT JOIN pg_class p ON p.oid = i.inhparent
WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
GROUP BY 1 ORDER BY 2 DESC LIMIT ${TABLES_MAX}`,
} as const;

/** Our states of jobs, by BullMQ's names. */
const states: Readonly<Record<string, readonly string[]>> = {
  waiting: ['waiting', 'prioritized'],
  active: ['active'],
  delayed: ['delayed'],
  failed: ['failed'],
};

/**
 * Returns the process's metrics for Prometheus. Postgres and the queue are read at most every ten
 * seconds for all collectors. A dependency that does not answer in time is left out;
 * `pennytext_dependency_up` is then 0, and also when it answers and takes no writes.
 */
@Injectable()
export class ReadMetrics {
  private readonly rows = new Snapshot({
    read: async () => ({
      takesWrites: await this.postgres.isWritable(),
      waiting: await this.waitingRows.count(),
      partitions: await this.postgres.query<{ table: string; months: number }>(partitionsStatement, []),
      backup: await this.verifiedBackups.newest(),
    }),
    freshMs: FRESH_MS,
    patienceMs: PATIENCE_MS,
  });
  private readonly sizes = new Snapshot({
    read: () => this.postgres.query<{ table: string; bytes: number }>(tableBytesStatement, []),
    freshMs: SIZES_FRESH_MS,
    patienceMs: PATIENCE_MS,
  });
  private readonly queues = new Snapshot({
    read: async () => ({ takesWrites: await this.counters.isWritable(), queues: await this.queueControl.status() }),
    freshMs: FRESH_MS,
    patienceMs: PATIENCE_MS,
  });

  constructor(
    private readonly metrics: Metrics,
    private readonly waitingRows: WaitingRowsRepository,
    private readonly queueControl: QueueControl,
    private readonly counters: SharedCounters,
    private readonly postgres: Postgres,
    private readonly verifiedBackups: VerifiedBackups,
    private readonly logger: Logger,
  ) {
    metrics.buildInfo.set({ version, node_version: process.version }, 1);
  }

  /** Returns the text and its content type. */
  async read(): Promise<{ contentType: string; text: string }> {
    this.readPool();
    await Promise.all([this.readRows(), this.readSizes(), this.readQueues()]);
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
    const { backlog, backlogOldest, partitionMonthsLeft, backupVerifiedAt } = this.metrics;
    backupVerifiedAt.remove();
    const answer = await this.answerOf('postgres', this.rows.get());
    if (!answer) {
      backlog.reset();
      backlogOldest.reset();
      partitionMonthsLeft.reset();
      return;
    }
    if (answer.backup) backupVerifiedAt.set(answer.backup.dumpedAt.getTime() / 1_000);
    for (const { table, months } of answer.partitions) partitionMonthsLeft.set({ table }, months);
    for (const { kind, rows: count, oldestAgeSeconds } of answer.waiting) {
      backlog.set({ kind }, count);
      backlogOldest.set({ kind }, oldestAgeSeconds);
    }
  }

  private async readSizes(): Promise<void> {
    const { tableBytes } = this.metrics;
    try {
      const sizes = await this.sizes.get();
      tableBytes.reset();
      for (const { table, bytes } of sizes) tableBytes.set({ table }, bytes);
    } catch (err) {
      tableBytes.reset();
      this.logger.warn({ err }, 'sizes of tables left out of metrics');
    }
  }

  private async readQueues(): Promise<void> {
    const { queueJobs, queuePaused } = this.metrics;
    const answer = await this.answerOf('queue', this.queues.get());
    if (!answer) {
      queueJobs.reset();
      queuePaused.reset();
      return;
    }
    for (const [queue, { isPaused, jobs }] of Object.entries(answer.queues)) {
      queuePaused.set({ queue }, isPaused ? 1 : 0);
      for (const [state, names] of Object.entries(states)) {
        const count = names.reduce((sum, name) => sum + (jobs[name] ?? 0), 0);
        queueJobs.set({ queue, state }, count);
      }
    }
  }

  private async answerOf<T extends { readonly takesWrites: boolean }>(
    dependency: 'postgres' | 'queue',
    answer: Promise<T>,
  ): Promise<T | undefined> {
    try {
      const result = await answer;
      this.metrics.dependencyUp.set({ dependency }, result.takesWrites ? 1 : 0);
      return result;
    } catch (err) {
      this.metrics.dependencyUp.set({ dependency }, 0);
      this.logger.warn({ err, dependency }, 'dependency left out of metrics');
      return undefined;
    }
  }
}
