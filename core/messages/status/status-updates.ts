import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { MessageKind } from '#contract/messages.js';
import { codeSourceOf, failureClassOf, isKnownCarrierCode, type MessageErrorCode } from '#contract/delivery-errors.js';
import { Credits } from '../../credits/credits.js';
import { carrierNameOf, Config } from '../../platform/config/config.js';
import { FailedItem, GroupCommit, orEach } from '../../platform/database/group-commit.js';
import { Postgres } from '../../platform/database/postgres.js';
import { retryUndone } from '../../platform/errors/database-error.js';
import { AccountEvents } from '../../platform/events/account-events.js';
import { Metrics } from '../../platform/telemetry/metrics.js';
import type { RequestContext } from '../../platform/telemetry/request-context.js';
import { reasonCodeSql, storableCode } from '../../rules/carrier-code.js';
import { newMessageId, publicMessageId } from '../../rules/ids.js';
import { WebhookEvents, type WebhookEvent } from '../../webhooks/webhook-events.js';
import type { CarrierStatus } from '../../carriers/carrier.js';
import { carrierOf } from '../../carriers/carrier-senders.js';
import { insertStatusDeliveries } from '../../webhooks/callbacks/callbacks.sql.js';
import { ACCOUNT_KEY } from '../../keys/callers.sql.js';
import { insertChecks } from '../store/checks.sql.js';
import { freeDays, messageDay, newYorkDayOf } from '../store/day-reservations.sql.js';
import { MessageAttempts } from '../handover/message-attempts.js';
import { isOfEarlierHandOver } from '../handover/message-attempts.sql.js';
import { insertOptOuts, type NewOptOut } from '../store/opt-outs.sql.js';

const BATCH_MAX = 200;
const BATCHES_IN_FLIGHT_MAX = 2;
const WAITING_MAX = 10_000;
const SETTLE_SOON_SECONDS = 5;

const STATES = `ARRAY['scheduled', 'queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed', 'canceled']`;

/**
 * A state's position in a message's lifecycle; the last four share one position, so none follows
 * another.
 */
const placeOf = (state: string) => `least(array_position(${STATES}, ${state}), 5)`;

/** SQL condition: a row of `delivery_days` belongs to a count `c`. */
const isDayOf = (row: string) =>
  `(${row}.account_id, ${row}.day, ${row}.country, ${row}.key_id, ${row}.reason)
    = (c.account_id, c.day, c.country, c.key, c.why)`;

/**
 * Updates states forward, never back: a message in the given state or a later state does not
 * change. Parameters are arrays: id, state, carrier's id, our code, carrier's code, whether credits
 * are refunded, whether only a message that waits for its claim changes, id of the delivery of its
 * status callback, number of the carrier that reports the state, and its price: a message of
 * another carrier does not change. A message without a claim does: after a restored backup its
 * receipt proves that it was sent. A receipt of an earlier hand-over, even by the same carrier,
 * changes nothing.
 *
 * It also returns messages that a receipt did not change, without an account: the carrier, the
 * carrier's id, and whether the message already had that state or a later state. A repeated receipt
 * then needs no second statement. These values are from the start of the statement, before
 * simultaneous changes.
 *
 * A carrier's id that was matched to another message is not recorded a second time: the message
 * stays unsettled, and recovery looks it up (carrier-matches.ts).
 *
 * It also counts the states of an account's messages by New York day, country, key and reason. A
 * statement cannot return a row's previous values: a row that leaves `sent` is recognized by a
 * `sent_at` of another transaction. All messages are locked before the first count, and counts in
 * one order, so that two batches do not deadlock over them. An existing count is updated, because
 * `ON CONFLICT` writes its lock to the log first; it only serves counts that another batch begins
 * at the same moment.
 *
 * LIMIT and OFFSET make Postgres find each message by its key: with LIMIT it expects few rows. With
 * a plan from a month's first messages, a join reads the whole month for each batch.
 */
export const updateStatusStatement = {
  name: 'status-update-17',
  text: `
WITH incoming AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::boolean[], $7::boolean[],
    $8::uuid[], $9::smallint[], $10::bigint[])
    AS u (id, status, carrier_id, error_code, carrier_error, refund, waiting, delivery_id, carrier, cost)
  LIMIT cardinality($1)
),
moved AS (
  UPDATE messages m
  SET status = incoming.status,
    carrier_id = coalesce(m.carrier_id, incoming.carrier_id),
    error_code = incoming.error_code,
    carrier_error = incoming.carrier_error,
    refunded = CASE WHEN incoming.refund THEN m.credits ELSE 0 END,
    sent_at = CASE WHEN incoming.status IN ('failed', 'canceled')
      AND incoming.carrier_id IS NULL THEN m.sent_at ELSE coalesce(m.sent_at, now()) END,
    finished_at = CASE WHEN incoming.status = 'sent' THEN NULL ELSE now() END
  FROM incoming
  WHERE m.id = incoming.id AND ${placeOf('m.status')} < ${placeOf('incoming.status')}
    AND (NOT incoming.waiting OR m.status IN ('scheduled', 'queued'))
    AND (incoming.carrier IS NULL OR incoming.carrier = ${carrierOf('m')})
    AND NOT EXISTS (
      SELECT FROM carrier_matches c WHERE c.carrier_id = incoming.carrier_id AND c.message_id <> incoming.id OFFSET 0
    )
    AND NOT EXISTS (
      SELECT FROM message_attempts a
      WHERE m.carrier_id IS DISTINCT FROM incoming.carrier_id AND ${isOfEarlierHandOver('a', 'incoming')}
    )
  RETURNING m.id, incoming.delivery_id, m.account_id, m.kind, m.step, m.created_at, m.status, m.refunded,
    m.recipient, m.sender, m.segments, m.credits, m.reference, m.country, m.key_id,
    m.error_code, ${carrierOf('m')} AS carrier, m.carrier_error, m.sent_at <> now() AS was_sent,
    incoming.cost, CASE WHEN incoming.cost IS NOT NULL THEN ${messageDay('m')} END AS cost_day,
    CASE WHEN m.send_at IS NOT NULL AND m.counted_on IS NULL THEN ${newYorkDayOf('m.send_at')} END AS reserved_on
),
counted AS MATERIALIZED (
  SELECT account_id, ${newYorkDayOf('created_at')} AS day, country, coalesce(key_id, '${ACCOUNT_KEY}') AS key,
    CASE WHEN status IN ('undelivered', 'failed') THEN coalesce(${reasonCodeSql}, 'not_delivered') ELSE '' END AS why,
    count(*) FILTER (WHERE status IN ('delivered', 'undelivered', 'failed')) AS messages,
    count(*) FILTER (WHERE status = 'sent') - count(*) FILTER (WHERE was_sent) AS sent,
    count(*) FILTER (WHERE status = 'failed') AS failed, count(*) FILTER (WHERE status = 'canceled') AS canceled
  FROM moved
  GROUP BY account_id, day, country, key, why
  ORDER BY account_id, day, country, key, why
),
added AS (
  UPDATE delivery_days d
  SET messages = d.messages + c.messages, sent = d.sent + c.sent, failed = d.failed + c.failed,
    canceled = d.canceled + c.canceled
  FROM counted c
  WHERE ${isDayOf('d')}
),
begun AS (
  INSERT INTO delivery_days AS d (account_id, day, country, key_id, reason, messages, sent, failed, canceled)
  SELECT * FROM counted c WHERE NOT EXISTS (SELECT FROM delivery_days e WHERE ${isDayOf('e')})
  ON CONFLICT (account_id, day, country, key_id, reason) DO UPDATE SET messages = d.messages + excluded.messages,
    sent = d.sent + excluded.sent, failed = d.failed + excluded.failed, canceled = d.canceled + excluded.canceled
),
priced AS (
  INSERT INTO message_costs (account_id, message_id, carrier, day, country, cost_microusd)
  SELECT account_id, id, carrier, cost_day, country, cost FROM moved WHERE cost IS NOT NULL ORDER BY account_id, id
  ON CONFLICT DO NOTHING
),
called AS (${insertStatusDeliveries('moved')}),
standing AS (
  SELECT m.id, ${carrierOf('m')} AS carrier, m.carrier_id,
    ${placeOf('m.status')} >= ${placeOf('incoming.status')} AS had_come
  FROM incoming CROSS JOIN LATERAL (SELECT * FROM messages WHERE messages.id = incoming.id OFFSET 0) AS m
  WHERE incoming.carrier IS NOT NULL AND NOT EXISTS (SELECT FROM moved WHERE moved.id = incoming.id)
)
SELECT coalesce(moved.id, standing.id) AS id, account_id AS "accountId", kind, step, status, refunded, recipient,
  sender, segments, credits, reference, error_code AS "errorCode",
  coalesce(moved.carrier, standing.carrier) AS carrier, standing.carrier_id AS "carrierId",
  standing.had_come AS "hadCome",
  carrier_error AS "carrierError", reserved_on::text AS "reservedOn", called.id AS "callbackId"
FROM moved LEFT JOIN called ON called.id = moved.delivery_id FULL JOIN standing ON standing.id = moved.id
`,
} as const;

/**
 * Returns claimed messages to the queue, unless they have a newer claim. Parameters are arrays: id,
 * number of the claim, milliseconds until the next attempt.
 */
export const releaseStatement = {
  name: 'release-4',
  text: `
WITH released AS (
  UPDATE messages m
  SET status = 'queued'
  FROM unnest($1::uuid[], $2::integer[], $3::integer[]) AS back (id, attempts, delay_ms)
  WHERE m.id = back.id AND m.attempts = back.attempts AND m.status = 'sending'
  RETURNING m.id, m.account_id, m.attempts,
    least(now() + make_interval(secs => back.delay_ms / 1000.0 + 15), m.expires_at) AS due_at
),
checked AS (${insertChecks('retry', 'released')})
SELECT id, account_id AS "accountId" FROM released
`,
} as const;

/** Makes claimed messages due for recovery before their lease ends. Parameters: ids, seconds. */
export const settleSoonStatement = {
  name: 'settle-soon-3',
  text: `
WITH claimed AS (
  SELECT id, attempts, now() + make_interval(secs => $2) AS due_at FROM messages
  WHERE id = ANY($1::uuid[]) AND status = 'sending'
),
checked AS (${insertChecks('settle', 'claimed')})
SELECT id FROM claimed
`,
} as const;

const progressOf: Record<UpdatedStatus, number> = { sent: 1, delivered: 2, undelivered: 2, failed: 2, canceled: 2 };

type UpdatedStatus = CarrierStatus | 'canceled';

/**
 * A new state of a message: from the carrier's answer, a delivery receipt, or our own refusal to
 * send it.
 */
export interface StatusUpdate {
  readonly id: string;
  readonly status: UpdatedStatus;
  /**
   * Number of the reporting carrier: a message of another carrier does not change. Undefined for
   * our own refusal.
   */
  readonly carrier?: number;
  readonly carrierId: string | null;
  /** Reason of the failure, in our terms. */
  readonly errorCode?: MessageErrorCode;
  /** The carrier's own code. A code of the class `opted_out` stores an opt-out. */
  readonly carrierError?: number | null;
  /**
   * The messaging service that chose the message's sender; an opt-out also holds for the service.
   */
  readonly service?: string | undefined;
  /** The carrier's price of the message; it is stored if the state changes. */
  readonly costMicrousd?: bigint | undefined;
  /** Whether to change the message only while it is scheduled or queued. */
  readonly onlyWaiting?: boolean;
  readonly context?: RequestContext | undefined;
}

/** A change of state that took effect. */
export interface Transition {
  readonly id: string;
  readonly accountId: string;
  readonly kind: MessageKind;
  /** Number of the step of a one-time password with channels; null for any other message. */
  readonly step: number | null;
  readonly status: UpdatedStatus;
  /** Credits refunded by this transition. */
  readonly refunded: number;
  readonly recipient: string;
  readonly sender: string;
  readonly segments: number;
  readonly credits: number;
  readonly reference: string | null;
  readonly errorCode: string | null;
  /** Number of its carrier. */
  readonly carrier: number;
  readonly carrierError: number | null;
  /** New York day on which a scheduled message had a place, if it ended without being counted. */
  readonly reservedOn: string | null;
  /** The delivery of the message's status callback, which must be enqueued. */
  readonly callbackId: string | null;
}

/** A message that an update did not change. */
interface Standing {
  readonly id: string;
  readonly accountId: null;
  /** Number of its carrier. */
  readonly carrier: number;
  readonly carrierId: string | null;
  /** Whether the message was in the update's state or a later state before the update. */
  readonly hadCome: boolean;
}

/** Effect of a receipt. */
export interface AppliedReceipt {
  readonly transition: Transition | undefined;
  /**
   * The message, if the receipt did not change it; undefined if it did, or the message is unknown.
   */
  readonly standing: Pick<Standing, 'carrier' | 'carrierId' | 'hadCome'> | undefined;
}

/** Row of the statement for a message. */
type Written = Transition | Standing;

const isTransition = (written: Written | undefined): written is Transition =>
  written !== undefined && written.accountId !== null;

/**
 * Webhook events that a feature derives from changes of its messages, besides the common events.
 */
export interface MessageEvents {
  /** Returns the events to record in the transaction of the changes. */
  eventsOf(tx: EntityManager, transitions: readonly Transition[]): Promise<WebhookEvent[]>;
}

interface Release {
  readonly id: string;
  /** The number of the claim that ends. */
  readonly attempts: number;
  readonly delayMs: number;
}

/** Applies status updates to messages, and refunds credits once when a message ends undelivered. */
@Injectable()
export class StatusUpdates {
  private readonly updates = this.group<StatusUpdate, Written | undefined>((batch) => this.applyAll(batch));
  private readonly features: MessageEvents[] = [];
  private readonly failedSteps: ((failed: readonly Transition[]) => Promise<void>)[] = [];
  private readonly releases = this.group<Release, boolean>((batch) => this.releaseAll(batch));

  constructor(
    private readonly postgres: Postgres,
    private readonly credits: Credits,
    private readonly accountEvents: AccountEvents,
    private readonly webhookEvents: WebhookEvents,
    private readonly metrics: Metrics,
    private readonly config: Config,
    private readonly attempts: MessageAttempts,
  ) {}

  register(feature: MessageEvents): void {
    this.features.push(feature);
  }

  /** Calls `listener`, which never rejects, after messages of steps have ended without delivery. */
  onFailedSteps(listener: (failed: readonly Transition[]) => Promise<void>): void {
    this.failedSteps.push(listener);
  }

  /** Returns undefined when the message is unknown or already has this state or a later state. */
  async apply(update: StatusUpdate): Promise<Transition | undefined> {
    const written = await this.updates.submit(update);
    return isTransition(written) ? written : undefined;
  }

  /** As {@link apply}, for a carrier's report. */
  async applyReceipt(update: StatusUpdate): Promise<AppliedReceipt> {
    const written = await this.updates.submit(update);
    return isTransition(written)
      ? { transition: written, standing: undefined }
      : { transition: undefined, standing: written };
  }

  /** As {@link apply}, within the caller's transaction. */
  async applyIn(tx: EntityManager, update: StatusUpdate): Promise<Transition | undefined> {
    const [written] = await this.writeIn(tx, [update]);
    return isTransition(written) && written.status === update.status ? written : undefined;
  }

  /**
   * Returns a claimed message to the queue, because the carrier definitely has not taken it.
   * Returns false when the message has moved on or has a newer claim than `attempts`.
   */
  release(id: string, attempts: number, delayMs: number): Promise<boolean> {
    return this.releases.submit({ id, attempts, delayMs });
  }

  /** Makes recovery settle a claim with an unknown outcome before its lease ends. */
  async settleSoon(id: string): Promise<void> {
    await this.postgres.query(settleSoonStatement, [[id], SETTLE_SOON_SECONDS]);
  }

  private group<In, Out>(run: (batch: In[]) => Promise<(Out | FailedItem)[]>): GroupCommit<In, Out> {
    return new GroupCommit({
      batchMax: BATCH_MAX,
      inFlightMax: BATCHES_IN_FLIGHT_MAX,
      waitingMax: WAITING_MAX,
      run,
      onFull: () => new Error('Too many status updates wait for the database'),
    });
  }

  /**
   * An update that gave way to another update of its message shares that update's failure or
   * repeats it.
   */
  private async applyAll(batch: StatusUpdate[]): Promise<(Written | FailedItem | undefined)[]> {
    const results = new Map<StatusUpdate, Written | FailedItem | undefined>();
    const others = new Map<string, Written | FailedItem | undefined>();
    for (const updates of roundsOf(batch)) {
      const written = await orEach(updates, (some) => this.applyRound(some));
      updates.forEach((update, index) => {
        const result = written[index];
        results.set(update, result);
        if (!(others.get(update.id) instanceof FailedItem)) others.set(update.id, result);
      });
    }
    return batch.map((update) => {
      if (results.has(update)) return results.get(update);
      const other = others.get(update.id);
      if (other === undefined || other instanceof FailedItem) return other;
      const hadCome = isTransition(other) || other.hadCome;
      return { id: update.id, accountId: null, carrier: other.carrier, carrierId: update.carrierId, hadCome };
    });
  }

  /** Applies updates of different messages. */
  private async applyRound(updates: StatusUpdate[]): Promise<(Written | undefined)[]> {
    const written = await retryUndone(() => this.write(updates));
    const byId = new Map(written.map((one) => [one.id, one]));
    return updates.map(({ id, status }) => {
      const one = byId.get(id);
      // A message that was given back to an earlier hand-over is `sent` instead of ended.
      return isTransition(one) && one.status !== status ? undefined : one;
    });
  }

  /**
   * State, opt-out, refund and webhook event change in one transaction; a batch with states alone
   * needs one statement.
   */
  private async write(updates: StatusUpdate[]): Promise<Written[]> {
    const hasSubscribers = (await this.webhookEvents.messageSubscribers()) !== undefined;
    if (
      hasSubscribers ||
      updates.some((update) => this.isRefunded(update) || isOptOut(update) || this.mayTakeBack(update))
    )
      return this.postgres.transaction((tx) => this.writeIn(tx, updates));
    const written = await this.postgres.query<Written>(updateStatusStatement, this.valuesOf(updates));
    const transitions = written.filter(isTransition);
    this.countUnknownCodes(transitions, updates);
    this.publish(transitions);
    this.reportFailedSteps(transitions);
    this.enqueueCallbacks(transitions, updates);
    return written;
  }

  private async writeIn(tx: EntityManager, given: StatusUpdate[]): Promise<Written[]> {
    const updates = await this.withoutTakenBack(tx, given);
    const written = await this.postgres.run<Written>(tx, updateStatusStatement, this.valuesOf(updates));
    const transitions = written.filter(isTransition);
    // Opt-outs are stored before the balances, as for replies.
    await insertOptOuts(this.postgres, tx, optOutsOf(transitions, updates));
    const refunds = transitions
      .filter(({ refunded }) => refunded > 0)
      .map(({ id, accountId, refunded }) => ({ accountId, amount: refunded, kind: 'refund' as const, sourceId: id }));
    await this.credits.post(tx, refunds);
    // Days are locked after the balances, as in acceptance.
    await freeDays(this.postgres, tx, transitions);
    const wanted = await this.wantedBySubscribers(tx, transitions);
    const events: WebhookEvent[] = wanted.map(webhookEventOf);
    for (const feature of this.features) events.push(...(await feature.eventsOf(tx, wanted)));
    const eventIds = await this.webhookEvents.recordAll(tx, events);
    const contextOf = new Map(updates.map(({ id, context }) => [id, context]));
    this.postgres.afterCommit(tx, () => {
      this.countUnknownCodes(transitions, updates);
      this.publish(transitions);
      this.reportFailedSteps(transitions);
      this.enqueueCallbacks(transitions, updates);
      this.webhookEvents.enqueue(
        eventIds,
        wanted.map(({ id }) => contextOf.get(id)),
      );
      for (const { amount } of refunds) {
        this.metrics.refunds.inc();
        this.metrics.refundedCredits.inc(amount);
      }
    });
    return written;
  }

  private mayTakeBack({ status }: StatusUpdate): boolean {
    return this.config.carriers.length > 1 && status !== 'sent' && status !== 'delivered';
  }

  /**
   * Omits messages that do not end because an earlier hand-over may still be delivered: they return
   * to that hand-over.
   */
  private async withoutTakenBack(tx: EntityManager, updates: StatusUpdate[]): Promise<StatusUpdate[]> {
    const takenBack = await this.attempts.takeBack(
      tx,
      updates.filter((update) => this.mayTakeBack(update)),
    );
    if (takenBack.length === 0) return updates;
    const byId = new Map(takenBack.map((message) => [message.id, message]));
    return updates.flatMap((update) => {
      const message = byId.get(update.id);
      if (!message) return [update];
      const { id, carrier, carrierId } = message;
      return carrierId === null ? [] : [{ id, status: 'sent' as const, carrier, carrierId, context: update.context }];
    });
  }

  private async wantedBySubscribers(tx: EntityManager, transitions: Transition[]): Promise<Transition[]> {
    const mayWant = await this.webhookEvents.messageSubscribers(tx);
    return mayWant ? transitions.filter(({ accountId }) => mayWant(accountId)) : [];
  }

  private enqueueCallbacks(transitions: readonly Transition[], updates: readonly StatusUpdate[]): void {
    const called = transitions.filter(({ callbackId }) => callbackId !== null);
    if (called.length === 0) return;
    const contextOf = new Map(updates.map(({ id, context }) => [id, context]));
    this.webhookEvents.enqueue(
      called.map(({ callbackId }) => callbackId ?? undefined),
      called.map(({ id }) => contextOf.get(id)),
    );
  }

  /** Also counts codes that are too large to be stored. */
  private countUnknownCodes(transitions: readonly Transition[], updates: readonly StatusUpdate[]): void {
    const codeOf = new Map(updates.map(({ id, carrierError }) => [id, carrierError ?? null]));
    for (const { id, carrier, errorCode } of transitions) {
      const code = codeOf.get(id) ?? null;
      if (code !== null && !isKnownCarrierCode(carrier, code, codeSourceOf(errorCode)))
        this.metrics.unknownCarrierCodes.inc({ carrier: carrierNameOf(this.config, carrier) });
    }
  }

  private reportFailedSteps(transitions: readonly Transition[]): void {
    const failed = transitions.filter(
      ({ step, status }) => step !== null && (status === 'failed' || status === 'undelivered'),
    );
    if (failed.length > 0) for (const listener of this.failedSteps) void listener(failed);
  }

  private publish(changed: readonly { accountId: string; id: string }[]): void {
    for (const { accountId, id } of changed) this.accountEvents.changed(accountId, id);
  }

  private valuesOf(updates: StatusUpdate[]): unknown[] {
    return [
      updates.map(({ id }) => id),
      updates.map(({ status }) => status),
      updates.map(({ carrierId }) => carrierId),
      updates.map(({ errorCode }) => errorCode ?? null),
      updates.map(({ carrierError }) => storableCode(carrierError)),
      updates.map((update) => this.isRefunded(update)),
      updates.map(({ onlyWaiting = false }) => onlyWaiting),
      updates.map(() => newMessageId()),
      updates.map(({ carrier }) => carrier ?? null),
      updates.map(({ costMicrousd }) => costMicrousd?.toString() ?? null),
    ];
  }

  /**
   * No delivery, no charge; REFUND_UNDELIVERED=false limits that to messages the carrier never
   * accepted.
   */
  private isRefunded({ status, carrierId }: StatusUpdate): boolean {
    if (status === 'sent' || status === 'delivered') return false;
    return carrierId === null || this.config.dispatch.refundUndelivered;
  }

  private releaseAll(batch: Release[]): Promise<(boolean | FailedItem)[]> {
    return orEach(batch, (some) => this.releaseSome(some));
  }

  private async releaseSome(batch: Release[]): Promise<boolean[]> {
    const rows = await this.postgres.query<{ id: string; accountId: string }>(releaseStatement, [
      batch.map(({ id }) => id),
      batch.map(({ attempts }) => attempts),
      batch.map(({ delayMs }) => Math.round(delayMs)),
    ]);
    this.publish(rows);
    const released = new Set(rows.map(({ id }) => id));
    return batch.map(({ id }) => released.has(id));
  }
}

/**
 * Splits a batch into rounds with one update per message, in the order of ids. Among updates of a
 * message the latest state counts, and the first of equal states. An update that only applies to a
 * waiting message gives way to the others, which prove that the message no longer waits. An update
 * of another carrier or carrier message gets a separate round, because either may belong to an
 * earlier hand-over or to another message.
 */
function roundsOf(batch: StatusUpdate[]): StatusUpdate[][] {
  const byId = new Map<string, StatusUpdate>();
  const others: StatusUpdate[] = [];
  for (const update of batch) {
    const other = byId.get(update.id);
    if (other && areOfDifferentHandOvers(other, update)) others.push(update);
    else if (!other || progressIn(update) > progressIn(other)) byId.set(update.id, update);
  }
  const round = [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  return others.length === 0 ? [round] : [round, ...roundsOf(others)];
}

/** Whether two updates name different carriers, or different messages of one carrier. */
function areOfDifferentHandOvers(one: StatusUpdate, other: StatusUpdate): boolean {
  if (one.carrier !== undefined && other.carrier !== undefined && one.carrier !== other.carrier) return true;
  return one.carrierId !== null && other.carrierId !== null && one.carrierId !== other.carrierId;
}

function progressIn({ status, onlyWaiting }: StatusUpdate): number {
  return onlyWaiting ? 0 : progressOf[status];
}

function isOptOut({
  carrier,
  carrierError = null,
  errorCode,
}: {
  readonly carrier?: number | undefined;
  readonly carrierError?: number | null;
  readonly errorCode?: string | null;
}): boolean {
  return carrier !== undefined && failureClassOf(carrier, carrierError, codeSourceOf(errorCode)) === 'opted_out';
}

/**
 * Opt-outs that only the carrier knows, because the reply never came or the carrier's list is
 * older.
 */
function optOutsOf(transitions: readonly Transition[], updates: readonly StatusUpdate[]): NewOptOut[] {
  const serviceOf = new Map(updates.map(({ id, service }) => [id, service]));
  return transitions.filter(isOptOut).map(({ id, accountId, recipient, sender }) => {
    return { accountId, recipient, sender, service: serviceOf.get(id) ?? null, source: 'carrier' };
  });
}

/**
 * The fields of GET /api/messages/{message_id} about the message's state. The text may hold a code
 * and is left out.
 */
function webhookEventOf(transition: Transition) {
  const { id, accountId, recipient, status, segments, credits, refunded, reference, errorCode, carrierError } =
    transition;
  return {
    accountId,
    type: `message.${status}` as const,
    sourceId: id,
    payload: {
      message_id: publicMessageId(id),
      to: recipient,
      status,
      segments,
      credits,
      refunded,
      reference,
      error_code: errorCode,
      carrier_error: carrierError,
    },
  };
}
