import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Value of the label `process` on every metric. */
export type ProcessName = 'server' | 'worker' | 'admin';

const SHORT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CALL_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const LATENCY_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400];
const BATCH_REQUESTS = [1, 2, 5, 10, 20, 50, 100, 200];

/**
 * All metrics of the product; tests compare docs/metrics.md, the alerts and the dashboard with this
 * file. Base units. Label values come from fixed lists in our code, never from an account, a phone
 * number or a caller.
 */
export class Metrics {
  readonly registry = new Registry();

  readonly accepts = this.counter(
    'pennytext_accepts_total',
    'Send requests by outcome: accepted, tested (quotes too), replayed, deduplicated, or the error code.',
    ['verdict'],
  );
  readonly acceptanceBatch = this.histogram(
    'pennytext_acceptance_batch_requests',
    'Requests that shared one round trip to Postgres.',
    [],
    BATCH_REQUESTS,
  );
  readonly acceptanceWait = this.histogram(
    'pennytext_acceptance_wait_seconds',
    'Time that the first request of a batch waited for its round trip.',
    [],
    SHORT_SECONDS,
  );
  readonly dispatchLatency = this.histogram(
    'pennytext_dispatch_latency_seconds',
    'Time from acceptance of a message until the carrier accepted it.',
    ['kind'],
    LATENCY_SECONDS,
  );
  readonly carrierCalls = this.histogram(
    'pennytext_carrier_call_duration_seconds',
    'Send calls to the carrier: accepted, refused, unavailable (definitely not accepted), suspended ' +
      '(our account is refused), unknown (no answer, or a 5xx).',
    ['outcome'],
    CALL_SECONDS,
  );
  readonly dispatchPaused = this.gauge(
    'pennytext_dispatch_paused',
    '1 while workers send nothing by a carrier because it refuses our account or does not answer, otherwise 0. ' +
      'Set by workers.',
    ['carrier'],
  );
  readonly routeMoves = this.counter(
    'pennytext_route_moves_total',
    'Changes of routes’ weights: silent, bad_share, doubtful_receipts, recovery.',
    ['cause'],
  );
  readonly routesDoubtful = this.gauge(
    'pennytext_routes_doubtful',
    'Countries in which too few of the codes that a carrier reports as delivered are entered. Set by workers.',
    ['carrier'],
  );
  readonly smppBound = this.gauge(
    'pennytext_smpp_bound',
    '1 while this worker has the SMPP bind and the peer has accepted it, otherwise 0: one worker has 1. Set by ' +
      'workers.',
    ['carrier'],
  );
  readonly smppOpenRequests = this.gauge(
    'pennytext_smpp_open_requests',
    'Messages of an SMPP bind that wait for the peer’s response in this worker.',
    ['carrier'],
  );
  readonly smppWindow = this.gauge('pennytext_smpp_window_requests', 'Maximum number of these: `window` of the bind.', [
    'carrier',
  ]);
  readonly carrierLookups = this.counter(
    'pennytext_carrier_lookups_total',
    'Lookups of messages with an unknown outcome: found, absent (sent again after its lease), undecided, failed, ' +
      'impossible (the carrier has no look-up: the receipt is waited for).',
    ['outcome'],
  );
  readonly receipts = this.counter(
    'pennytext_delivery_receipts_total',
    'Delivery receipts by status, duplicates included.',
    ['status'],
  );
  readonly foreignReceipts = this.counter(
    'pennytext_foreign_receipts_total',
    'Delivery receipts of a carrier that named a message of another one, and were ignored.',
    ['carrier'],
  );
  readonly reroutes = this.counter(
    'pennytext_reroutes_total',
    'Messages that were handed to another route, by why they left the one before.',
    ['reason'],
  );
  readonly numberOrders = this.counter(
    'pennytext_number_orders_total',
    'Purchases of numbers that ended: bought, or why not.',
    ['outcome'],
  );
  readonly numberReleases = this.counter('pennytext_number_releases_total', 'Numbers that were released, by why.', [
    'reason',
  ]);
  readonly numbersMissing = this.gauge(
    'pennytext_numbers_missing',
    'Numbers of accounts that the carrier did not have when its list was read last.',
    [],
  );
  readonly unknownCarrierCodes = this.counter(
    'pennytext_unknown_carrier_codes_total',
    'Messages that ended with a code that the table of their carrier does not have.',
    ['carrier'],
  );
  readonly refunds = this.counter('pennytext_refunds_total', 'Messages that were refunded.', []);
  readonly refundedCredits = this.counter('pennytext_refunded_credits_total', 'Credits that were refunded.', []);
  readonly webhookAttempts = this.histogram(
    'pennytext_webhook_attempt_duration_seconds',
    'Webhook attempts: delivered (2xx), redirect (3xx), refused (4xx), broken (5xx), unreachable (no answer).',
    ['outcome'],
    CALL_SECONDS,
  );
  readonly webhooksFailed = this.counter(
    'pennytext_webhooks_failed_total',
    'Webhooks that failed after their last attempt.',
    [],
  );
  readonly replies = this.counter(
    'pennytext_replies_total',
    'Inbound messages by outcome: received, held, limited, unrouted, resting, off, full, repeated.',
    ['outcome'],
  );
  readonly foreignReplies = this.counter(
    'pennytext_foreign_replies_total',
    'Inbound messages of a carrier to a number that is none of its own, which were dropped.',
    ['carrier'],
  );
  readonly mails = this.counter('pennytext_mails_total', 'Attempts to send an email: sent, delayed, failed.', [
    'outcome',
  ]);
  readonly mediaCopies = this.counter(
    'pennytext_media_copies_total',
    'Attempts to copy a file of a reply from its carrier: stored, later, failed, or settled by another worker.',
    ['outcome'],
  );
  readonly thumbnails = this.histogram(
    'pennytext_media_thumbnail_duration_seconds',
    'Thumbnails of pictures: made, or none for what cannot be decoded. One at a time in a process.',
    ['outcome'],
    CALL_SECONDS,
  );
  readonly queueJobs = this.gauge(
    'pennytext_queue_jobs',
    'Jobs of a queue by state: waiting, active, delayed, failed. Every process reports the same value.',
    ['queue', 'state'],
  );
  readonly queuePaused = this.gauge('pennytext_queue_paused', '1 if the operator paused the queue, otherwise 0.', [
    'queue',
  ]);
  readonly backlog = this.gauge(
    'pennytext_backlog_rows',
    'Rows in Postgres that wait for the carrier (dispatch), a webhook (webhooks), the mail server ' +
      '(mail), credits (held) or a file of a carrier (media). Counted up to 20,000. Every process ' +
      'reports the same value.',
    ['kind'],
  );
  readonly backlogOldest = this.gauge(
    'pennytext_backlog_oldest_age_seconds',
    'Age of the oldest of these rows; 0 if there is none. Webhooks that were already attempted do not count.',
    ['kind'],
  );
  readonly jobsFailed = this.counter(
    'pennytext_jobs_failed_total',
    'Jobs that ended without their work done: failed (recovery finds the row), unreadable (of an unknown ' +
      'name, or with data that no worker can read).',
    ['queue', 'reason'],
  );
  readonly queueLosses = this.counter(
    'pennytext_queue_losses_total',
    'Number of times the queue lost its data and was refilled from Postgres. The very first start counts as one.',
    [],
  );
  readonly dependencyUp = this.gauge(
    'pennytext_dependency_up',
    '1 if postgres or queue answered the last check and takes writes, otherwise 0.',
    ['dependency'],
  );
  readonly ledgerMismatches = this.gauge(
    'pennytext_ledger_mismatches',
    'Accounts whose balance and newest ledger entries disagree, as found by this worker’s periodic check.',
    [],
  );
  readonly requestLogDropped = this.counter(
    'pennytext_request_log_dropped_total',
    'API calls that are missing in the log of the dashboard, because Postgres did not take them in time.',
    [],
  );
  readonly ledgerSealLag = this.gauge(
    'pennytext_ledger_seal_lag_seconds',
    'Age of the oldest ledger entry that this worker’s last run of the ledger’s seals found without a ' +
      'seal; 0 without one.',
    [],
  );
  readonly ledgerCheckedAt = this.gauge(
    'pennytext_ledger_check_timestamp_seconds',
    'Time of this worker’s last periodic ledger check (Unix time).',
    [],
  );
  readonly scheduledTaskRuns = this.counter(
    'pennytext_scheduled_task_runs_total',
    'Runs of the worker’s scheduled tasks: done, failed.',
    ['task', 'result'],
  );
  readonly scheduledTaskSucceededAt = this.gauge(
    'pennytext_scheduled_task_last_success_timestamp_seconds',
    'Time of the task’s last run in this worker that did not fail, or of the worker’s start before ' +
      'the first (Unix time).',
    ['task'],
  );
  readonly scheduledTaskInterval = this.gauge(
    'pennytext_scheduled_task_interval_seconds',
    'How often the task runs when it has nothing more to do.',
    ['task'],
  );
  readonly partitionMonthsLeft = this.gauge(
    'pennytext_partition_months_left',
    'Months after the current one for which the table has partitions; -1 if the current month has ' +
      'none. Every process reports the same value.',
    ['table'],
  );
  readonly tableBytes = this.gauge(
    'pennytext_table_bytes',
    'Size of the largest tables, with their indexes and partitions. Every process reports the same value.',
    ['table'],
  );
  readonly backupVerifiedAt = this.gauge(
    'pennytext_backup_verified_timestamp_seconds',
    'When the newest backup that `backup verify` found in order was dumped, in Unix time; absent if ' +
      'there is none. Every process reports the same value.',
    [],
  );
  readonly pool = this.gauge(
    'pennytext_postgres_pool_connections',
    'Connections of this process to Postgres: busy, idle.',
    ['state'],
  );
  readonly poolMax = this.gauge(
    'pennytext_postgres_pool_connections_max',
    'Maximum number of these connections: DATABASE_POOL_MAX, and 4 for each part of a divided database.',
    [],
  );
  readonly poolWaiting = this.gauge(
    'pennytext_postgres_pool_waiting_requests',
    'Statements of this process that wait for a connection.',
    [],
  );
  readonly httpRequests = this.histogram(
    'pennytext_http_request_duration_seconds',
    'HTTP requests by route template (unmatched: none) and status class.',
    ['method', 'route', 'status_class'],
    SHORT_SECONDS,
  );
  readonly buildInfo = this.gauge('pennytext_build_info', 'Always 1; the labels name the running version.', [
    'version',
    'node_version',
  ]);

  constructor(readonly process: ProcessName) {
    this.registry.setDefaultLabels({ process });
    // A gauge without labels begins as 0.
    this.backupVerifiedAt.remove();
  }

  /**
   * Adds the default metrics of Node and the process (`process_…`, `nodejs_…`): event loop, heap,
   * garbage collection.
   */
  collectDefaults(): void {
    collectDefaultMetrics({ register: this.registry });
  }

  private counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] });
  }

  private gauge<Label extends string>(name: string, help: string, labelNames: Label[]): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: [this.registry] });
  }

  private histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    buckets: number[],
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets, registers: [this.registry] });
  }
}
