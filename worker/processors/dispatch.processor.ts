import { Processor } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { type Job, Worker } from 'bullmq';
import { DispatchMessage } from '#core/messages/dispatch/dispatch-message.js';
import type { DispatchResult } from '#core/messages/dispatch/dispatch-outcomes.js';
import { Config } from '#core/platform/config/config.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { CarrierQueues } from '#core/platform/queue/carrier-queues.js';
import {
  dispatchPayload,
  queueNames,
  type DispatchPayload,
  type MessageToDispatch,
} from '#core/platform/queue/queues.js';
import { Telemetry } from '#core/platform/telemetry/telemetry.js';
import type { CarrierJobs } from '#core/providers/smpp/hold-binds.js';
import { JobRunner, later } from '../job-runner.js';

/**
 * Jobs of a crashed worker run again after this time; recovery settles the messages that it had
 * claimed.
 */
const LOCK_MS = 15_000;
const STALLED_CHECK_MS = 5_000;
const STALLS_MAX = 10;
const JOBS_MIN = 2;
/** Divisor of the places: one in this many may stay free until several messages are let in together. */
const PLACES_KEPT = 10;
/** Weight of the latest job in the moving average of job sizes. */
const AVERAGE_WEIGHT = 0.2;
/** Messages under way for each place in a window: most of them wait for the database. */
const MESSAGES_PER_PLACE = 4;
/** Messages that begin together. */
const TOGETHER = 8;
/** A message waits for the rate of its bind this long at most. */
const RATE_WAIT_SECONDS = 2;

const dispatchOptions = {
  autorun: false,
  lockDuration: LOCK_MS,
  stalledInterval: STALLED_CHECK_MS,
  maxStalledCount: STALLS_MAX,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
} as const;

/** Dispatches the messages of a job. */
@Processor(queueNames.dispatch, dispatchOptions)
export class DispatchJob extends JobRunner<DispatchPayload> {
  /** The carrier whose own queue the jobs are from. */
  protected readonly queueOf: number | undefined;
  /** Messages that are let in together, as soon as so many places are free: they share statements. */
  protected readonly together: number = 1;
  private messagesMax = 1;
  private averageSize = 1;
  private inFlight = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly dispatchMessage: DispatchMessage,
    private readonly postgres: Postgres,
    telemetry: Telemetry,
  ) {
    super(dispatchPayload, telemetry);
  }

  /** Dispatches at most `messagesMax` messages concurrently. */
  override start(messagesMax: number): void {
    this.messagesMax = messagesMax;
    super.start(messagesMax);
  }

  protected async run({ messages }: DispatchPayload, job: Job, token: string | undefined): Promise<void> {
    this.adjustJobs(messages.length);
    const results = await Promise.allSettled(messages.map((message) => this.inTurn(() => this.dispatch(message))));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    if (results.some((result) => result.status === 'fulfilled' && result.value.kind === 'held'))
      await later(job, token, 0);
  }

  private dispatch({ messageId, accountId, takesTurns, ...context }: MessageToDispatch): Promise<DispatchResult> {
    return this.postgres.ofAccount(accountId, () =>
      this.dispatchMessage.dispatchInTurn({ messageId, accountId, takesTurns }, context, this.queueOf),
    );
  }

  /**
   * Sets the number of concurrent jobs by their average size, so that together they carry about
   * `messagesMax` messages. More jobs would only wait in this process, where a more urgent job
   * cannot overtake them.
   */
  private adjustJobs(size: number): void {
    this.averageSize += AVERAGE_WEIGHT * (size - this.averageSize);
    this.worker.concurrency = Math.max(JOBS_MIN, Math.ceil(this.messagesMax / this.averageSize));
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.waiting.length === 0 && this.inFlight < this.messagesMax) this.inFlight += 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      this.inFlight -= 1;
      this.letIn();
    }
  }

  /** Hands free slots to the messages that have waited longest. */
  private letIn(): void {
    const free = this.messagesMax - this.inFlight;
    // Most go on meanwhile, and one of them ends.
    if (free < Math.min(this.together, Math.ceil(this.messagesMax / PLACES_KEPT))) return;
    for (const next of this.waiting.splice(0, free)) {
      this.inFlight += 1;
      next();
    }
  }
}

/** Dispatches the messages of a carrier's own queue. */
class CarrierDispatchJob extends DispatchJob {
  protected override readonly together = TOGETHER;
  private readonly own: Worker;

  constructor(
    queues: CarrierQueues,
    protected override readonly queueOf: number,
    ...parts: ConstructorParameters<typeof DispatchJob>
  ) {
    super(...parts);
    const process = (job: Parameters<DispatchJob['process']>[0], token?: string) => this.process(job, token);
    this.own = new Worker(queues.nameOf(queueOf), process, { ...queues.options, ...dispatchOptions });
  }

  override get worker(): Worker {
    return this.own;
  }
}

/**
 * Runs the jobs of the channels besides text messages, and of the exclusive carriers that this
 * worker is connected to.
 */
@Injectable()
export class CarrierDispatch implements CarrierJobs {
  private readonly jobs = new Map<number, CarrierDispatchJob>();
  private isStopping = false;

  constructor(
    private readonly queues: CarrierQueues,
    private readonly config: Config,
    private readonly dispatchMessage: DispatchMessage,
    private readonly postgres: Postgres,
    private readonly telemetry: Telemetry,
  ) {}

  /** Runs the jobs of the channels, whose carriers every worker can reach. */
  start(): void {
    for (const { number } of this.config.channels) this.run(number);
  }

  run(carrier: number): void {
    if (this.isStopping) return;
    const known = this.jobs.get(carrier);
    if (known) return void known.worker.resume();
    const job = new CarrierDispatchJob(this.queues, carrier, this.dispatchMessage, this.postgres, this.telemetry);
    this.jobs.set(carrier, job);
    job.start(this.messagesMax(carrier));
  }

  rest(carrier: number): void {
    this.jobs
      .get(carrier)
      ?.worker.pause(true)
      .catch((err: unknown) => this.telemetry.logger.warn({ carrier, err }, 'queue of a carrier not paused'));
  }

  /** Waits for running jobs. */
  async close(): Promise<void> {
    this.isStopping = true;
    await Promise.all([...this.jobs.values()].map(({ worker }) => worker.close()));
  }

  private messagesMax(carrier: number): number {
    const { dispatch, smpp } = this.config;
    const settings = smpp.find(({ number }) => number === carrier);
    const most = Math.max(dispatch.concurrency, MESSAGES_PER_PLACE * (settings?.window ?? 0));
    return Math.min(most, 1 + RATE_WAIT_SECONDS * (settings?.perSecond ?? Infinity));
  }
}
