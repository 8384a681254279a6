import { Injectable } from '@nestjs/common';
import { Worker } from 'bullmq';
import { DispatchMessage } from '#core/messages/dispatch/dispatch-message.js';
import { Config } from '#core/platform/config/config.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { CarrierQueues } from '#core/platform/queue/carrier-queues.js';
import { Telemetry } from '#core/platform/telemetry/telemetry.js';
import type { CarrierJobs } from '#core/providers/smpp/hold-binds.js';
import { DispatchJob, dispatchOptions } from './dispatch.processor.js';

/** Messages under way for each place in a window: most of them wait for the database. */
const MESSAGES_PER_PLACE = 4;
/** Messages that begin together. */
const TOGETHER = 8;
/** A message waits for the rate of its bind this long at most. */
const RATE_WAIT_SECONDS = 2;

/** Dispatches the messages of an exclusive carrier's own queue. */
class CarrierDispatchJob extends DispatchJob {
  protected override readonly isOwnQueue = true;
  protected override readonly together = TOGETHER;
  private readonly own: Worker;

  constructor(queues: CarrierQueues, carrier: number, ...parts: ConstructorParameters<typeof DispatchJob>) {
    super(...parts);
    const process = (job: Parameters<DispatchJob['process']>[0], token?: string) => this.process(job, token);
    this.own = new Worker(queues.nameOf(carrier), process, { ...queues.options, ...dispatchOptions });
  }

  override get worker(): Worker {
    return this.own;
  }
}

/** Runs the jobs of the exclusive carriers that this worker is connected to. */
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
