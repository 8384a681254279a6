import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AttemptOutcome, AttemptReason, HandOver } from '#contract/message-record.js';
import type { MessageKind, MessageStatus } from '#contract/messages.js';
import { retryUndone } from '../../platform/errors/database-error.js';
import { GroupCommit, orEach } from '../../platform/database/group-commit.js';
import { Postgres } from '../../platform/database/postgres.js';
import { storableCode } from '../../rules/carrier-code.js';
import type { CarrierReceipt } from '../../carriers/carrier.js';
import {
  attemptReceiptsStatement,
  attemptsStatement,
  earlierHandOversStatement,
  handedOverStatement,
  openAttemptsStatement,
  rerouteStatement,
  resumeAttemptStatement,
  takeBackStatement,
} from './message-attempts.sql.js';

/** A message that may be handed to another route. */
export interface HandedOver {
  readonly id: string;
  readonly accountId: string;
  readonly kind: MessageKind;
  readonly status: MessageStatus;
  readonly recipient: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly sender: string;
  readonly carrier: number;
  readonly carrierId: string | null;
  readonly reference: string | null;
  readonly segments: number;
  readonly credits: number;
  /** The number of its last claim. */
  readonly claim: number;
  /** 0 for a message that is delivered `once`. */
  readonly hedgeSeconds: number;
  /** Number of hand-overs to routes. */
  readonly handOvers: number;
  /** Carriers that may have the message from an earlier hand-over. */
  readonly takenBy: readonly number[];
  /** Carriers of the earlier hand-overs. */
  readonly tried: readonly number[];
  /** Senders of the earlier hand-overs. */
  readonly triedSenders: readonly string[];
  /** Whether its one-time password was entered, or goes by its next channel. */
  readonly isUsed: boolean;
  /** Carriers that are paused. */
  readonly paused: readonly number[];
  /** Whether its account has bought its sender, which no other route has. */
  readonly isBought: boolean;
  /** Whether it comes from a dump, which may lack a later hand-over. */
  readonly isRestored: boolean;
}

/** End of a hand-over and next route of the message. */
export interface RouteChange {
  readonly sender: string;
  readonly carrier: number;
  readonly reason: AttemptReason;
  readonly outcome: AttemptOutcome;
  readonly carrierError: number | null;
  readonly receipt: 'undelivered' | 'failed' | null;
  readonly carrierId: string | null;
  /** Percentage of the account's messages of a day that may change like this; null for no bound. */
  readonly percentMax: number | null;
}

/** A state that would end a message. */
interface Failing {
  readonly id: string;
  readonly status: string;
  readonly carrier?: number;
  readonly carrierError?: number | null;
  readonly carrierId: string | null;
  readonly onlyWaiting?: boolean;
}

/** A message that was given back to an earlier hand-over. */
interface TakenBack {
  readonly id: string;
  readonly carrier: number;
  readonly carrierId: string | null;
}

interface AttemptRow {
  readonly n: number;
  readonly current: boolean;
  readonly carrier: number;
  readonly sender: string;
  readonly reason: AttemptReason;
  readonly handedAt: Date | null;
  readonly outcome: AttemptOutcome | null;
  readonly receipt: HandOver['receipt'];
}

/** A message whose hand-overs are counted. */
interface CountedMessage {
  readonly id: string;
  readonly accountId: string;
  /** Number of its last claim. */
  readonly claims: number;
  /** Start of the current hand-over; null before that. */
  readonly claimedAt: Date | null;
}

/** The part of a message's row that describes its current hand-over. */
export interface CurrentHandOver extends CountedMessage {
  readonly sender: string;
  readonly status: MessageStatus;
  readonly carrierId: string | null;
}

interface AttemptReceipt {
  readonly id: string;
  readonly receipt: CarrierReceipt;
}

/** A hand-over before the current one. */
interface EarlierAttempt {
  readonly n: number;
  readonly sender: string;
  readonly recipient: string;
}

/** An attempt as the statement returns it. */
export interface RecordedAttempt extends EarlierAttempt {
  /** Id of the message. */
  readonly id: string;
}

const BATCH_MAX = 200;
const BATCHES_IN_FLIGHT_MAX = 2;
const WAITING_MAX = 10_000;

/** Stores the hand-overs of messages for which more than one route was tried. */
@Injectable()
export class MessageAttempts {
  private readonly receipts = new GroupCommit<AttemptReceipt, EarlierAttempt | undefined>({
    batchMax: BATCH_MAX,
    inFlightMax: BATCHES_IN_FLIGHT_MAX,
    waitingMax: WAITING_MAX,
    run: (batch) => orEach(batch, (some) => this.recordAll(some)),
    onFull: () => new Error('Too many receipts wait for the database'),
  });

  constructor(private readonly postgres: Postgres) {}

  /** Undefined for an unknown message. */
  async handedOver(id: string): Promise<HandedOver | undefined> {
    const [found] = await this.postgres.query<HandedOver>(handedOverStatement, [id]);
    return found;
  }

  /** Returns false when the message has moved on since it was read, or `percentMax` is used up. */
  async reroute(tx: EntityManager, message: HandedOver, change: RouteChange): Promise<boolean> {
    const { id, claim, status } = message;
    const { sender, carrier, reason, outcome, carrierError, receipt, carrierId, percentMax } = change;
    const code = storableCode(carrierError);
    const values = [id, claim, status, sender, carrier, reason, outcome, code, receipt, carrierId, percentMax];
    return (await this.postgres.run(tx, rerouteStatement, values)).length > 0;
  }

  /** Returns failing messages to an earlier hand-over that may still be delivered. */
  async takeBack(tx: EntityManager, failing: readonly Failing[]): Promise<TakenBack[]> {
    if (failing.length === 0) return [];
    return this.postgres.run<TakenBack>(tx, takeBackStatement, [
      failing.map(({ id }) => id),
      failing.map(({ status }) => status),
      failing.map(({ carrier }) => carrier ?? null),
      failing.map(({ carrierError }) => storableCode(carrierError)),
      failing.map(({ carrierId }) => carrierId),
      failing.map(({ onlyWaiting = false }) => onlyWaiting),
    ]);
  }

  /** Lists earlier hand-overs that a carrier has taken and that have no receipt yet. */
  open(id: string): Promise<{ readonly carrier: number; readonly carrierId: string }[]> {
    return this.postgres.query(openAttemptsStatement, [id]);
  }

  /** Records the receipt of an earlier hand-over; undefined if there is no such hand-over. */
  record(id: string, receipt: CarrierReceipt): Promise<EarlierAttempt | undefined> {
    return this.receipts.submit({ id, receipt });
  }

  /** Makes a hand-over that was delivered the current one; false for a message that has ended. */
  async resume(tx: EntityManager, id: string, n: number): Promise<boolean> {
    return (await this.postgres.run(tx, resumeAttemptStatement, [id, n])).length > 0;
  }

  /** The receipts of one message are recorded in turn. */
  private async recordAll(batch: readonly AttemptReceipt[]): Promise<(EarlierAttempt | undefined)[]> {
    const found = new Map<AttemptReceipt, EarlierAttempt>();
    let left = batch;
    while (left.length > 0) {
      const round = new Map(left.toReversed().map((one) => [one.id, one]));
      for (const attempt of await retryUndone(() => this.recordRound([...round.values()]))) {
        const one = round.get(attempt.id);
        if (one && !found.has(one)) found.set(one, attempt);
      }
      left = left.filter((one) => round.get(one.id) !== one);
    }
    return batch.map((one) => found.get(one));
  }

  private recordRound(round: readonly AttemptReceipt[]): Promise<RecordedAttempt[]> {
    return this.postgres.query<RecordedAttempt>(attemptReceiptsStatement, [
      round.map(({ id }) => id),
      round.map(({ receipt }) => receipt.carrier),
      round.map(({ receipt }) => receipt.carrierId),
      round.map(({ receipt }) => receipt.status),
      round.map(({ receipt }) => storableCode(receipt.carrierError)),
    ]);
  }

  /** Returns every hand-over of a message, in order. Claims without a hand-over are left out. */
  async list(message: CurrentHandOver): Promise<HandOver[]> {
    const values = [message.accountId, message.id];
    const rows = await this.postgres.query<AttemptRow>(attemptsStatement, values);
    if (rows.length === 0) return message.claimedAt ? [shownOf(onlyOf(message), [], message)] : [];
    const carriers = [...new Set(rows.map(({ carrier }) => carrier))];
    const begun = rows.filter(({ current }) => !current || message.claimedAt !== null);
    return begun.map((row) => shownOf(row, carriers, message));
  }

  /**
   * Counts the hand-overs that {@link list} returns, for messages of any accounts. Reads only
   * messages that may have several.
   */
  async countAll(messages: readonly CountedMessage[]): Promise<ReadonlyMap<string, number>> {
    const again = messages.filter(({ claims, claimedAt }) => claims > 1 || (claims === 1 && claimedAt === null));
    const accounts = [...new Set(again.map(({ accountId }) => accountId))];
    const earlier = await Promise.all(
      accounts.map((account) => {
        const ids = again.flatMap(({ id, accountId }) => (accountId === account ? [id] : []));
        return this.postgres.query<{ id: string; handOvers: number }>(earlierHandOversStatement, [account, ids]);
      }),
    );
    const counts = new Map(earlier.flat().map(({ id, handOvers }) => [id, handOvers]));
    return new Map(messages.map(({ id, claimedAt }) => [id, (counts.get(id) ?? 0) + (claimedAt ? 1 : 0)]));
  }
}

function onlyOf({ sender }: CurrentHandOver): AttemptRow {
  return {
    n: 1,
    current: true,
    carrier: 0,
    sender,
    reason: 'first',
    handedAt: null,
    outcome: null,
    receipt: null,
  };
}

/** The data of the current hand-over is in the message's row. */
function shownOf(
  { n, current, carrier, sender, reason, handedAt, outcome, receipt }: AttemptRow,
  carriers: readonly number[],
  message: CurrentHandOver,
): HandOver {
  const route = `r${Math.max(0, carriers.indexOf(carrier)) + 1}`;
  if (!current) return { n, route, sender, handed_at: handedAt?.toISOString() ?? null, outcome, reason, receipt };
  const { status, carrierId, claimedAt } = message;
  const isEnded = status === 'delivered' || status === 'undelivered' || (status === 'failed' && carrierId !== null);
  return {
    n,
    route,
    sender: message.sender,
    handed_at: claimedAt?.toISOString() ?? null,
    outcome: isEnded ? 'accepted' : outcomeOf(status),
    reason,
    receipt: isEnded ? status : null,
  };
}

function outcomeOf(status: MessageStatus): AttemptOutcome | null {
  switch (status) {
    case 'sent':
    case 'delivered':
    case 'undelivered':
      return 'accepted';
    // The carrier gave the message back if it waits again or was then canceled.
    case 'failed':
    case 'queued':
    case 'canceled':
      return 'not_taken';
    case 'scheduled':
    case 'sending':
      return null;
  }
}
