import { Injectable } from '@nestjs/common';
import { Config, version } from '../config/config.js';
import { Postgres } from '../database/postgres.js';
import { Shards } from '../database/shards.js';
import { Logger } from '../telemetry/logger.js';
import { Metrics } from '../telemetry/metrics.js';
import { DomainError } from '../errors/domain-error.js';
import { QueueControl } from '../queue/queue-control.js';
import { reachOf } from '../../rules/network-addresses.js';
import { isSecret } from '../crypto/encryption.js';

interface CachedReadOptions<T> {
  readonly read: () => Promise<T>;
  /** A result is reused for this time. */
  readonly freshMs: number;
  /** Callers wait no longer than this; the read itself continues, and no second one starts. */
  readonly patienceMs: number;
}

/** Caches an expensive read and coalesces concurrent callers. */
export class CachedRead<T> {
  private reading: Promise<T> | undefined;
  private readAtMs = -Infinity;
  private answer: T | undefined;

  constructor(private readonly options: CachedReadOptions<T>) {}

  /** Throws if the read fails, and `unavailable` if it takes too long. */
  async get(): Promise<T> {
    const { freshMs, patienceMs } = this.options;
    if (this.answer !== undefined && performance.now() - this.readAtMs < freshMs) return this.answer;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new DomainError('unavailable', `No answer within ${patienceMs} ms. Try again.`)),
        patienceMs,
      );
    });
    try {
      return await Promise.race([this.read(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  private read(): Promise<T> {
    this.reading ??= this.options
      .read()
      .then((answer) => {
        this.answer = answer;
        this.readAtMs = performance.now();
        return answer;
      })
      .finally(() => {
        this.reading = undefined;
      });
    return this.reading;
  }
}

const FRESH_MS = 10_000;
const PATIENCE_MS = 2_000;

const ROWS_MAX = 20_000;

/** Number and age of waiting rows. */
export interface WaitingRows {
  readonly kind: 'dispatch' | 'webhooks' | 'mail' | 'held';
  /** Counted up to 20,000. */
  readonly rows: number;
  readonly oldestAgeSeconds: number;
}

/**
 * Reads bounded ranges of the partial indexes of unfinished rows, and the checks of queued messages. Recovery looks at queued
 * messages at least every ten minutes, so they are all in this range of the index, while most messages that wait for a receipt are not. A webhook that was attempted
 * waits for its receiver, not for us, so it does not count for the age. Read-only view on the tables of four features.
 */
const waitingRowsSql = {
  name: 'waiting-rows-3',
  text: `
SELECT kind, rows, coalesce(greatest(0, extract(epoch FROM now() - oldest)), 0)::float8 AS "oldestAgeSeconds"
FROM (
  SELECT 'dispatch' AS kind, count(*)::int AS rows, min(since) AS oldest FROM (
    (SELECT coalesce(send_at, created_at) AS since FROM messages
    WHERE due_at <= now() + interval '11 minutes' AND status = 'queued' ORDER BY due_at LIMIT ${ROWS_MAX})
    UNION ALL
    (SELECT coalesce(send_at, created_at) AS since FROM messages
    WHERE status = 'queued' AND due_at IS NULL AND id = ANY(ARRAY(
      SELECT unnest(message_ids) FROM (SELECT * FROM message_checks WHERE kind = 'queued' ORDER BY due_at, id) c LIMIT ${ROWS_MAX}
    )) LIMIT ${ROWS_MAX})
    LIMIT ${ROWS_MAX}
  ) m
  UNION ALL
  SELECT 'webhooks', count(*)::int, min(created_at) FILTER (WHERE attempts = 0) FROM (
    SELECT created_at, attempts FROM all_webhook_deliveries
    WHERE due_at IS NOT NULL AND status = 'pending' ORDER BY due_at LIMIT ${ROWS_MAX}
  ) d
  UNION ALL
  SELECT 'mail', count(*)::int, min(created_at) FROM (
    SELECT created_at FROM mails WHERE due_at IS NOT NULL AND status = 'queued' ORDER BY due_at LIMIT ${ROWS_MAX}
  ) e
  UNION ALL
  SELECT 'held', count(*)::int, min(created_at) FROM (
    SELECT created_at FROM inbound_messages WHERE status = 'held' LIMIT ${ROWS_MAX}
  ) h
) counted`,
};

/** Counts the rows that wait for dispatch, delivery or credits. */
@Injectable()
export class WaitingRowsRepository {
  constructor(
    private readonly postgres: Postgres,
    private readonly shards: Shards,
  ) {}

  async count(): Promise<WaitingRows[]> {
    const counts = (await this.shards.each(() => this.postgres.query<WaitingRows>(waitingRowsSql, []))).flat();
    return [...new Set(counts.map(({ kind }) => kind))].map((kind) => {
      const some = counts.filter((count) => count.kind === kind);
      return {
        kind,
        rows: some.reduce((total, { rows }) => total + rows, 0),
        oldestAgeSeconds: Math.max(...some.map(({ oldestAgeSeconds }) => oldestAgeSeconds)),
      };
    });
  }
}

const BEARER = /^Bearer +([^ ]+) *$/i;

/** Our states of jobs, by BullMQ's names. */
const states: Readonly<Record<string, readonly string[]>> = {
  waiting: ['waiting', 'prioritized'],
  active: ['active'],
  delayed: ['delayed'],
  failed: ['failed'],
};

/**
 * Returns the process's metrics for Prometheus. Postgres and the queue are read at most every ten seconds, however many
 * collectors scrape. A dependency that does not answer in time is left out and `pennytext_dependency_up` is 0.
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

  /** Returns the text and its content type. */
  async read(): Promise<{ contentType: string; text: string }> {
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
    const rows = await this.answerOf('postgres', this.rows.get());
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
    const queues = await this.answerOf('queue', this.queues.get());
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

  private async answerOf<T>(dependency: 'postgres' | 'queue', answer: Promise<T>): Promise<T | undefined> {
    try {
      const result = await answer;
      this.metrics.dependencyUp.set({ dependency }, 1);
      return result;
    } catch (err) {
      this.metrics.dependencyUp.set({ dependency }, 0);
      this.logger.warn({ err, dependency }, 'dependency left out of metrics');
      return undefined;
    }
  }
}

/** Headers that proxies add to requests. */
const proxyHeaders = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'];

export interface MetricsCall {
  /** Address of the connection itself, regardless of headers. */
  readonly remoteAddress: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Decides who may read /metrics. With METRICS_TOKEN: callers that send it. Without: callers with a private address and no proxy
 * headers. On the server's port no caller is admitted behind a proxy, which an https PUBLIC_URL or TRUST_PROXY indicate: the
 * proxy's own address is private too, and not every proxy sends headers.
 */
@Injectable()
export class MetricsReaders {
  constructor(private readonly config: Config) {}

  admits({ remoteAddress, headers }: MetricsCall, port: 'server' | 'worker'): boolean {
    const { metricsToken } = this.config.operator;
    if (metricsToken !== undefined) {
      const given = BEARER.exec(String(headers['authorization'] ?? ''))?.[1];
      return given !== undefined && isSecret(given, metricsToken);
    }
    const { publicUrl, trustProxy } = this.config.http;
    if (port === 'server' && (trustProxy || publicUrl.startsWith('https:'))) return false;
    if (proxyHeaders.some((name) => headers[name] !== undefined)) return false;
    return remoteAddress !== undefined && reachOf(remoteAddress) === 'private';
  }
}
