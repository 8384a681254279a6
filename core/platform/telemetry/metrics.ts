import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Which program speaks: stands on every line as the label `process`. */
export type ProcessName = 'server' | 'worker' | 'admin';

const SHORT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CALL_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const LATENCY_SECONDS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400];
const BATCH_REQUESTS = [1, 2, 5, 10, 20, 50, 100, 200];

/**
 * Everything the product counts and measures, and nowhere else: docs/metrics.md, the alerts and the dashboard are held against
 * this file. Base units; labels come from closed lists in our own code, never from an account, a number or a caller.
 */
export class Metrics {
  readonly registry = new Registry();

  readonly accepts = this.counter(
    'pennytext_accepts_total',
    'Messages asked for, by what they were told: accepted, tested, replayed, or the code of the refusal.',
    ['verdict'],
  );
  readonly acceptanceBatch = this.histogram(
    'pennytext_admission_batch_requests',
    'Requests that shared one round trip to Postgres.',
    [],
    BATCH_REQUESTS,
  );
  readonly acceptanceWait = this.histogram(
    'pennytext_admission_wait_seconds',
    'How long the first request of a batch waited for its round trip to begin.',
    [],
    SHORT_SECONDS,
  );
  readonly dispatchLatency = this.histogram(
    'pennytext_dispatch_latency_seconds',
    'From the acceptance of a message until the carrier had taken it.',
    ['kind'],
    LATENCY_SECONDS,
  );
  readonly carrierCalls = this.histogram(
    'pennytext_carrier_call_duration_seconds',
    'Calls that hand a message to the carrier: accepted, refused, unavailable (surely not taken), unknown (no answer).',
    ['outcome'],
    CALL_SECONDS,
  );
  readonly receipts = this.counter(
    'pennytext_delivery_receipts_total',
    'Receipts of the carrier, repeats included, by the status they tell.',
    ['status'],
  );
  readonly refunds = this.counter('pennytext_refunds_total', 'Messages whose credits were given back.', []);
  readonly refundedCredits = this.counter('pennytext_refunded_credits_total', 'Credits that were given back.', []);
  readonly webhookAttempts = this.histogram(
    'pennytext_webhook_attempt_duration_seconds',
    'Calls of customers’ webhooks: delivered (2xx), redirect (3xx), refused (4xx), broken (5xx), unreachable (no answer).',
    ['outcome'],
    CALL_SECONDS,
  );
  readonly webhooksFailed = this.counter(
    'pennytext_webhooks_failed_total',
    'Webhooks that were given up after their last attempt.',
    [],
  );
  readonly replies = this.counter(
    'pennytext_replies_total',
    'Messages from people, by what became of them: received, held, unrouted, off, full, repeated.',
    ['outcome'],
  );
  readonly mails = this.counter('pennytext_mails_total', 'Attempts to send an e-mail: sent, delayed, failed.', [
    'outcome',
  ]);
  readonly queueJobs = this.gauge(
    'pennytext_queue_jobs',
    'Jobs in a queue, by their state: waiting, active, delayed, failed. Every process tells the same.',
    ['queue', 'state'],
  );
  readonly queuePaused = this.gauge('pennytext_queue_paused', '1 while the operator has paused the queue, else 0.', [
    'queue',
  ]);
  readonly backlog = this.gauge(
    'pennytext_backlog_rows',
    'Rows in Postgres that wait: for the carrier (dispatch), a webhook (webhooks), the mail server (mail), credits (held). Counted to 20,000 at the most. Every process tells the same.',
    ['kind'],
  );
  readonly backlogOldest = this.gauge(
    'pennytext_backlog_oldest_age_seconds',
    'How long the oldest of those rows has waited; 0 when none does. Webhooks that were tried already are left out.',
    ['kind'],
  );
  readonly queueLosses = this.counter(
    'pennytext_queue_losses_total',
    'How often the queue came back without its data, and was filled again from Postgres. The first start ever counts as one.',
    [],
  );
  readonly dependencyUp = this.gauge(
    'pennytext_dependency_up',
    '1 when postgres or queue answered at the last look, else 0.',
    ['dependency'],
  );
  readonly ledgerMismatches = this.gauge(
    'pennytext_ledger_mismatches',
    'Accounts whose balance and newest ledger entries disagree, as the periodic check of this worker found them.',
    [],
  );
  readonly ledgerCheckedAt = this.gauge(
    'pennytext_ledger_check_timestamp_seconds',
    'When this worker last ended a periodic ledger check (Unix time).',
    [],
  );
  readonly loopRounds = this.counter(
    'pennytext_loop_rounds_total',
    'Rounds of the worker’s recurring work: done, failed.',
    ['loop', 'result'],
  );
  readonly pool = this.gauge(
    'pennytext_postgres_pool_connections',
    'Connections of this process to Postgres: busy, idle.',
    ['state'],
  );
  readonly poolMax = this.gauge(
    'pennytext_postgres_pool_connections_max',
    'How many there may be: DATABASE_POOL_MAX.',
    [],
  );
  readonly poolWaiting = this.gauge(
    'pennytext_postgres_pool_waiting_requests',
    'Statements of this process that wait for a connection.',
    [],
  );
  readonly httpRequests = this.histogram(
    'pennytext_http_request_duration_seconds',
    'HTTP requests, by the template of their route (unmatched: there is none) and the class of their status.',
    ['method', 'route', 'status_class'],
    SHORT_SECONDS,
  );
  readonly buildInfo = this.gauge('pennytext_build_info', 'Always 1; its labels tell what runs.', [
    'version',
    'node_version',
  ]);

  constructor(readonly process: ProcessName) {
    this.registry.setDefaultLabels({ process });
  }

  /** Adds what Node and the process themselves tell (`process_…`, `nodejs_…`): event loop, heap, garbage collection. */
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
