import { InjectQueue } from '@nestjs/bullmq';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { Logger } from '../telemetry/logger.js';
import { contextFields } from '../telemetry/request-context.js';
import { Tracer } from '../telemetry/tracer.js';
import { Backlog } from './backlog.js';
import { FairQueue, type Waiting } from './fair-queue.js';
import { queueNames, type DispatchJob } from './queues.js';

export interface WaitingMessage extends Waiting {
  readonly kind: 'sms' | 'otp';
  /** Recovery asks again for what may be in line already: it is not counted a second time. */
  readonly again?: boolean;
}

/**
 * Puts accepted messages in line for the worker, one-time passwords before all others. Never fails: what the queue does not
 * take is found by recovery, because the row in Postgres is the message and the job only says that it waits.
 */
@Injectable()
export class DispatchQueue implements BeforeApplicationShutdown {
  private readonly line: FairQueue<WaitingMessage, DispatchJob>;

  constructor(
    @InjectQueue(queueNames.dispatch) private readonly queue: Queue<DispatchJob>,
    backlog: Backlog,
    private readonly tracer: Tracer,
    private readonly logger: Logger,
  ) {
    queue.on('error', (err: Error) => logger.warn({ reason: err.message }, 'dispatch queue is away'));
    this.line = new FairQueue({
      name: queue.name,
      addBulk: (jobs) => queue.addBulk(jobs),
      backlog,
      backlogOf: (accountId) => accountId,
      dataOf: ({ id, origin }) => ({ messageId: id, ...contextFields(origin) }),
      isUrgent: ({ kind }) => kind === 'otp',
      isAgain: ({ again }) => again === true,
    });
  }

  /** Puts a message in line after this call; nobody waits for it. */
  put(message: WaitingMessage): void {
    void this.add(message);
  }

  /** Resolves when the message is in line, or left to recovery. */
  async add(message: WaitingMessage): Promise<void> {
    const { origin } = message;
    try {
      await this.tracer.within('enqueue', { kind: 'producer', parent: origin?.traceparent }, ({ traceparent }) =>
        this.line.add(traceparent === undefined ? message : { ...message, origin: { ...origin, traceparent } }),
      );
    } catch (err) {
      this.logger.warn({ ...contextFields(origin), err, messageId: message.id }, 'message left to recovery');
    }
  }

  /** Jobs in line and delayed. */
  async size(): Promise<number> {
    return this.queue.getJobCountByTypes('waiting', 'prioritized', 'delayed');
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.line.flush();
  }
}
