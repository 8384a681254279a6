import { Injectable } from '@nestjs/common';
import { retryUndone } from '../platform/errors/database-error.js';
import { GroupCommit, orEach } from '../platform/database/group-commit.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { contextFields } from '../platform/telemetry/request-context.js';
import { Telemetry } from '../platform/telemetry/telemetry.js';
import { ConversationOwner } from '../messages/senders/conversation-owner.js';
import { ForeignReplies } from './foreign-replies.js';
import { ForwardReplies } from './forward-replies.js';
import { InboundRepository, type InboundOutcome } from './inbound.repository.js';
import { sendersOf, type IncomingReply } from './opt-outs.js';
import { type StoredBatch, StoreReplies } from './store-replies.js';

const BATCH_MAX = 100;
const BATCHES_IN_FLIGHT_MAX = 2;
const WAITING_MAX = 5_000;
const ATTEMPTS_MAX = 5;

/** `foreign`: the reply was sent to a number that does not belong to its carrier. */
type ReceiveOutcome = InboundOutcome | 'repeated' | 'foreign';

/**
 * Receives replies for the account that last messaged their sender from that number: stores them,
 * charged or held, and forwards them. Replies that arrive together share a transaction. When
 * `receive` throws, nothing is stored and the carrier may repeat the reply.
 */
@Injectable()
export class ReceiveReplies {
  private readonly replies = new GroupCommit<IncomingReply, ReceiveOutcome>({
    batchMax: BATCH_MAX,
    inFlightMax: BATCHES_IN_FLIGHT_MAX,
    waitingMax: WAITING_MAX,
    run: (batch) => orEach(batch, (some) => this.receiveBatch(some)),
    onFull: tooMany,
  });
  private readonly known = new GroupCommit<string, boolean>({
    batchMax: BATCH_MAX,
    inFlightMax: BATCHES_IN_FLIGHT_MAX,
    waitingMax: WAITING_MAX,
    run: async (ids) => {
      const found = await this.inbound.known(ids);
      return ids.map((id) => found.has(id));
    },
    onFull: tooMany,
  });

  constructor(
    private readonly postgres: Postgres,
    private readonly conversationOwner: ConversationOwner,
    private readonly inbound: InboundRepository,
    private readonly storeReplies: StoreReplies,
    private readonly forwardReplies: ForwardReplies,
    private readonly foreignReplies: ForeignReplies,
    private readonly telemetry: Telemetry,
  ) {}

  async receive(reply: IncomingReply): Promise<ReceiveOutcome> {
    if (await this.foreignReplies.isForeign(reply)) return 'foreign';
    const { logger, metrics } = this.telemetry;
    const observed = {
      parent: reply.context?.traceparent,
      outcomeOf: (result: ReceiveOutcome) => result,
      counted: metrics.replies,
    };
    const outcome = await this.telemetry.observe('receive reply', observed, async ({ traceparent }) => {
      const context = traceparent === undefined ? reply.context : { ...reply.context, traceparent };
      return this.postgres.ofFound(
        () => this.ownerOf(reply),
        () => this.replies.submit({ ...reply, context }),
      );
    });
    const fields = { ...contextFields(reply.context), carrierId: reply.carrierId };
    if (outcome === 'unrouted') logger.info(fields, 'reply dropped: no account messaged its sender');
    if (outcome === 'resting') logger.info(fields, 'reply dropped: its number was released');
    if (outcome === 'full') logger.warn(fields, 'reply dropped: its account holds the maximum');
    return outcome;
  }

  /** Returns whether a reply was received before, by the carrier's id. */
  isKnown(carrierId: string): Promise<boolean> {
    return this.known.submit(carrierId);
  }

  /** Finds the account of a reply. Skips a reply that was received before, because polling repeats it. */
  private async ownerOf(reply: IncomingReply): Promise<string | undefined> {
    if (await this.isKnown(reply.carrierId)) return undefined;
    const owner = await this.conversationOwner.latest({ person: reply.sender, senders: sendersOf(reply) });
    return owner?.accountId;
  }

  private async receiveBatch(batch: IncomingReply[]): Promise<ReceiveOutcome[]> {
    const store = () => this.postgres.transaction((tx) => this.storeReplies.store(tx, batch));
    const stored = await retryUndone(store, ATTEMPTS_MAX);
    this.announce(stored, batch);
    return outcomesOf(batch, stored);
  }

  private announce({ stored, events }: StoredBatch, batch: readonly IncomingReply[]): void {
    const contextOf = new Map(batch.map(({ carrierId, context }) => [carrierId, context]));
    const contexts = stored
      .filter(({ status }) => status === 'received')
      .map(({ carrierId }) => contextOf.get(carrierId));
    this.forwardReplies.announce(events, stored, contexts);
  }
}

function tooMany(): DomainError {
  return new DomainError('unavailable', 'Too many replies at once. Nothing was stored.', { retryAfterSeconds: 1 });
}

/**
 * The first of several replies with the same carrier id has the outcome; the others are repeated.
 */
function outcomesOf(batch: readonly IncomingReply[], { outcomes }: StoredBatch): ReceiveOutcome[] {
  const left = new Map(outcomes);
  return batch.map(({ carrierId }) => {
    const outcome = left.get(carrierId);
    left.delete(carrierId);
    return outcome ?? 'repeated';
  });
}
