import { Injectable } from '@nestjs/common';
import { isConnectionLoss } from '../platform/database/database-error.js';
import { GroupCommit } from '../platform/database/group-commit.js';
import { Postgres } from '../platform/database/postgres.js';
import { retryUndone } from '../platform/database/retry-undone.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { Logger } from '../platform/telemetry/logger.js';
import { Metrics } from '../platform/telemetry/metrics.js';
import { AccountEvents } from '../platform/events/account-events.js';
import { contextFields } from '../platform/telemetry/request-context.js';
import { Tracer } from '../platform/telemetry/tracer.js';
import { Forwarding } from './forwarding.js';
import type { IncomingMessage } from './incoming-message.js';
import type { InboundOutcome } from './inbound-receipts.repository.js';
import { Intake, type TakenIn } from './intake.js';

const BATCH_MAX = 100;
const BATCHES_IN_FLIGHT_MAX = 2;
const WAITING_MAX = 5_000;
const ATTEMPTS_MAX = 5;

export type ReceiveOutcome = InboundOutcome | 'repeated';

/**
 * Takes one reply in: whoever texted that person last from that number has it stored, charged or held, and forwarded. Messages
 * that arrive together share a transaction. When this throws, nothing is stored, and the carrier may bring the message again.
 */
@Injectable()
export class ReceiveMessage {
  private readonly shared = this.lane(BATCH_MAX);
  private readonly alone = this.lane(1);

  constructor(
    private readonly postgres: Postgres,
    private readonly intake: Intake,
    private readonly forwarding: Forwarding,
    private readonly news: AccountEvents,
    private readonly metrics: Metrics,
    private readonly tracer: Tracer,
    private readonly logger: Logger,
  ) {}

  async run(message: IncomingMessage): Promise<ReceiveOutcome> {
    const outcome = await this.tracer.within(
      'receive reply',
      { parent: message.origin?.traceparent },
      async ({ traceparent }) => {
        const origin = traceparent === undefined ? message.origin : { ...message.origin, traceparent };
        const taken = await this.shared.submit({ ...message, origin });
        if (taken instanceof Failed) throw taken.cause;
        return taken;
      },
    );
    this.metrics.replies.inc({ outcome });
    const { origin, carrierId } = message;
    const about = { ...contextFields(origin), carrierId };
    if (outcome === 'unrouted') this.logger.info(about, 'reply dropped: nobody has texted that number from here');
    if (outcome === 'full') this.logger.warn(about, 'reply dropped: its account holds as many as it may');
    return outcome;
  }

  private lane(batchMax: number): GroupCommit<IncomingMessage, ReceiveOutcome | Failed> {
    return new GroupCommit({
      batchMax,
      inFlightMax: BATCHES_IN_FLIGHT_MAX,
      waitingMax: WAITING_MAX,
      run: (batch) => this.receive(batch),
      onFull: () =>
        new DomainError('unavailable', 'Too many replies at once. Nothing was stored.', { retryAfterSeconds: 1 }),
    });
  }

  private async receive(batch: IncomingMessage[]): Promise<(ReceiveOutcome | Failed)[]> {
    try {
      const takeIn = () => this.postgres.transaction((tx) => this.intake.takeIn(tx, batch));
      const taken = await retryUndone(takeIn, ATTEMPTS_MAX);
      this.tell(taken, batch);
      return outcomesOf(batch, taken);
    } catch (error) {
      // What Postgres cannot digest must not cost its neighbours their place.
      if (batch.length > 1 && !isConnectionLoss(error)) return this.receiveEach(batch);
      throw error;
    }
  }

  private async receiveEach(batch: IncomingMessage[]): Promise<(ReceiveOutcome | Failed)[]> {
    const settled = await Promise.allSettled(batch.map((message) => this.alone.submit(message)));
    return settled.map((result) => (result.status === 'fulfilled' ? result.value : new Failed(result.reason)));
  }

  /** After the commit: the webhooks, and the pages that are open. */
  private tell({ kept, events }: TakenIn, batch: readonly IncomingMessage[]): void {
    const requestContextOf = new Map(batch.map(({ carrierId, origin }) => [carrierId, origin]));
    const origins = kept.filter(({ held }) => !held).map(({ carrierId }) => requestContextOf.get(carrierId));
    this.forwarding.wake(events, origins);
    for (const { accountId, id } of kept) this.news.received(accountId, id);
  }
}

/** A message whose neighbours were taken in. */
class Failed {
  constructor(readonly cause: unknown) {}
}

/** The first of several with one id has the outcome, the others repeat it. */
function outcomesOf(batch: readonly IncomingMessage[], { outcomes }: TakenIn): ReceiveOutcome[] {
  const left = new Map(outcomes);
  return batch.map(({ carrierId }) => {
    const outcome = left.get(carrierId);
    left.delete(carrierId);
    return outcome ?? 'repeated';
  });
}
