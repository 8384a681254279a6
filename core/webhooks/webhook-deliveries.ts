import { Injectable } from '@nestjs/common';
import { plainTyped } from '#contract/characters.js';
import { limits } from '#contract/limits.js';
import type { RecordedWebhook } from '#contract/message-record.js';
import type {
  WebhookAttempt,
  WebhookDeliveriesAnswer,
  WebhookDeliveriesQuery,
  WebhookDelivery,
  WebhookDeliveryFilter,
  WebhookDeliveryAnswer,
  WebhookEventType,
  WebhookReplayAnswer,
  WebhookSubject,
} from '#contract/webhooks.js';
import { AuditLog } from '../audit/audit-log.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { WebhookQueue } from '../platform/queue/queues.js';
import {
  messageIdFromPublic,
  newMessageId,
  otpIdFromPublic,
  publicMessageId,
  uuidV7Floor,
  publicWebhookId,
  webhookIdFromPublic,
} from '../rules/ids.js';
import { newYorkDay, newYorkTimestamp } from '../rules/time.js';
import { twilioParameters } from './callbacks/callback-formats.js';
import { EndpointsRepository } from './endpoints/endpoints.repository.js';
import { webhookBody } from './webhook-events.js';
import {
  DeliveriesRepository,
  type AttemptRow,
  type DeliveryPage,
  type DeliveryRow,
  type DeliveryState,
} from './deliveries/deliveries.repository.js';

type StateFilter = Pick<DeliveryPage, 'states' | 'hasFailed'>;

const DAY_MS = 86_400_000;
const another: readonly DeliveryState[] = ['pending', 'sending', 'waiting'];

/**
 * The API has one status for deliveries that wait for a worker, for a call's answer or for a retry.
 */
const statesOf: Record<WebhookDeliveryFilter, StateFilter> = {
  retrying: { states: another, hasFailed: true },
  pending: { states: another, hasFailed: false },
  paused: { states: ['paused'], hasFailed: undefined },
  delivered: { states: ['delivered'], hasFailed: undefined },
  failed: { states: ['failed'], hasFailed: undefined },
};

const statesToReplay: Record<'failed' | 'all', readonly DeliveryState[]> = {
  failed: ['failed', 'paused'],
  all: ['failed', 'paused', 'delivered'],
};

interface Replay {
  readonly from: Date;
  /** Exclusive end. */
  readonly to: Date;
  readonly which: 'failed' | 'all';
}

/**
 * Deliveries of webhook events: lists, shows and resends them, and sends test events. A resent
 * delivery keeps its `webhook-id`, so that the receiver can recognize it, and starts the retry
 * schedule again.
 */
@Injectable()
export class WebhookDeliveries {
  constructor(
    private readonly postgres: Postgres,
    private readonly deliveries: DeliveriesRepository,
    private readonly endpoints: EndpointsRepository,
    private readonly queue: WebhookQueue,
    private readonly auditLog: AuditLog,
  ) {}

  /**
   * Returns a page, newest first. The cursor is the id of the last delivery of the previous page.
   * Throws `invalid_request`.
   */
  async list(accountId: string, query: WebhookDeliveriesQuery): Promise<WebhookDeliveriesAnswer> {
    const { cursor, status, type, message, search } = query;
    const beforeId = cursor === undefined ? undefined : webhookIdFromPublic(cursor);
    if (cursor !== undefined && !beforeId) throw new DomainError('invalid_request', 'The cursor is invalid.');
    const about = message === undefined ? undefined : messageIdFromPublic(message);
    if (message !== undefined && !about) throw new DomainError('invalid_request', 'The message id is invalid.');
    const sought = searchOf(search);
    if (sought.kind === 'nothing') return { deliveries: [], nextCursor: null };
    if (sought.kind === 'webhook') return this.listOne(accountId, sought.id);
    const size = limits.webhookDeliveriesPageSize;
    const sourceId = about ?? sought.sourceId;
    const states = status ? statesOf[status] : { states: undefined, hasFailed: undefined };
    const page = { beforeId, ...states, type, digits: sought.digits, sourceId, size: size + 1 };
    const searchedMax = limits.webhookDeliveriesSearchedMax;
    const found = await this.deliveries.page(accountId, page, searchedMax);
    const shown = found.slice(0, size);
    const isFull = found.length > size;
    // A page that is not full ends where the search did, if that was before the last delivery.
    const last =
      isFull || sourceId !== undefined
        ? shown.at(-1)?.id
        : await this.deliveries.lastSearched(accountId, beforeId, searchedMax);
    const hasNext = isFull || (sourceId === undefined && last !== undefined);
    return {
      deliveries: await this.views(shown),
      nextCursor: hasNext && last !== undefined ? publicWebhookId(last) : null,
    };
  }

  private async listOne(accountId: string, id: string): Promise<WebhookDeliveriesAnswer> {
    const row = await this.deliveries.find(id, accountId);
    return { deliveries: await this.views(row ? [row] : []), nextCursor: null };
  }

  /** Adds the failure of each delivery's last call. */
  private async views(rows: readonly DeliveryRow[]): Promise<WebhookDelivery[]> {
    const called = rows.filter(({ attempts }) => attempts > 0).map(({ id }) => id);
    const last = new Map((await this.deliveries.attemptsOf(called, 1)).map((one) => [one.deliveryId, one]));
    return rows.map((row) => deliveryView(row, last.get(row.id)));
  }

  /**
   * Returns one delivery with its attempts; a null `accountId` means any account. Throws
   * `delivery_not_found`.
   */
  async show(accountId: string | null, publicId: string): Promise<WebhookDeliveryAnswer> {
    const row = await this.find(accountId, publicId);
    const attempts = await this.deliveries.attemptsOf([row.id], limits.webhookAttemptsShownMax);
    return { ...deliveryView(row, attempts[0]), body: sentBody(row), attemptList: attempts.map(attemptView) };
  }

  /**
   * Returns the kept data of the deliveries about a message, oldest first, and the URL that the
   * message named.
   */
  async recordOf(
    accountId: string,
    messageId: string,
  ): Promise<{ webhooks: RecordedWebhook[]; callback: RecordedWebhook['callback'] }> {
    const rows = await this.deliveries.about(accountId, messageId);
    const callback = await this.deliveries.callbackOf(accountId, messageId);
    const ids = rows.map(({ id }) => id);
    const attempts = await this.deliveries.attemptsOf(ids, limits.webhookAttemptsShownMax);
    const of = (id: string) => attempts.filter(({ deliveryId }) => deliveryId === id);
    return {
      webhooks: rows.map((row) => recordedOf(row, of(row.id))),
      callback: publicCallback(callback),
    };
  }

  /**
   * Sends one delivery again; `address` is the caller's, for the audit log, here and below. A null
   * `ownerId` is the operator, who may resend deliveries of every account. Throws
   * `delivery_not_found`, and `webhook_off` when it goes to the account's endpoint and that is not
   * on.
   */
  async resend(ownerId: string | null, publicId: string, address?: string): Promise<void> {
    const delivery = await this.find(ownerId, publicId);
    const { id, accountId } = delivery;
    if (delivery.format === 'standard') await this.requireEndpointOn(accountId);
    await this.postgres.change(async (tx) => {
      await this.deliveries.resend(tx, id);
      const details = { id: publicId };
      if (ownerId)
        await this.auditLog.record(tx, { actor: 'account', accountId, action: 'webhook.resent', address, details });
    });
    this.queue.enqueue(delivery);
  }

  /**
   * Sends deliveries of a time range again, oldest first, up to a bound; `more` when some are left.
   * Throws `webhook_off`.
   */
  async replay(
    accountId: string,
    actor: 'account' | 'operator',
    { from, to, which }: Replay,
    address?: string,
  ): Promise<WebhookReplayAnswer> {
    await this.requireEndpointOn(accountId);
    const deliveriesMax = limits.webhookReplayDeliveriesMax;
    const range = { fromId: lowestIdAt(from), beforeId: lowestIdAt(to), states: statesToReplay[which], deliveriesMax };
    const replayed = await this.postgres.change(async (tx) => {
      const count = await this.deliveries.replay(tx, accountId, range);
      const details = { from: from.toISOString(), to: to.toISOString(), which, count };
      if (actor === 'account')
        await this.auditLog.record(tx, { actor, accountId, action: 'webhook.replayed', address, details });
      return count;
    });
    return { replayed, more: replayed === deliveriesMax };
  }

  /**
   * Sends an example of an event in one attempt, even when the endpoint is off, and to open event
   * streams. Returns the event's id. Throws `webhook_off` without either.
   */
  async sendTest(accountId: string, type: WebhookEventType, address?: string): Promise<string> {
    const at = new Date();
    const id = newMessageId();
    const body = webhookBody(type, examplePayload(type, at), at);
    await this.postgres.change(async (tx) => {
      const written = await this.deliveries.insert(tx, [
        { id, accountId, type, sourceId: `test ${id}`, body, isTest: true },
      ]);
      if (!written.has(id) && !(await this.deliveries.isStreamed(tx, accountId, id)))
        throw new DomainError('webhook_off', 'Set a webhook URL or listen to the events of the account first.');
      await this.auditLog.record(tx, {
        actor: 'account',
        accountId,
        action: 'webhook.tested',
        address,
        details: { type },
      });
    });
    // The job of an event without a delivery finds nothing to claim.
    this.queue.enqueue({ id, accountId });
    return publicWebhookId(id);
  }

  private async find(accountId: string | null, publicId: string): Promise<DeliveryRow> {
    const id = webhookIdFromPublic(publicId);
    const row = id && (await this.deliveries.find(id, accountId));
    if (!row) throw new DomainError('delivery_not_found', 'There is no such webhook, or it is no longer kept.');
    return row;
  }

  private async requireEndpointOn(accountId: string): Promise<void> {
    const endpoint = await this.endpoints.find(accountId);
    if (!endpoint?.url) throw new DomainError('webhook_off', 'Set a webhook URL first.');
    if (endpoint.disabledAt) throw new DomainError('webhook_off', 'The webhook is turned off. Turn it on again first.');
  }
}

/** Times before 1970 have no ids: they count as 1970. */
function lowestIdAt(at: Date): string {
  return uuidV7Floor(new Date(Math.max(0, at.getTime())));
}

const DIGITS_MIN = 4;

function isDelivered(attempt: AttemptRow | undefined): boolean {
  const status = attempt?.status ?? 0;
  return status >= 200 && status < 300;
}

/** Meaning of a search text: a webhook, a subject of webhooks, or a phone number. */
function searchOf(text = '') {
  const typed = plainTyped(text);
  if (typed === '') return { kind: 'all' } as const;
  const id = webhookIdFromPublic(typed.toLowerCase());
  if (id !== undefined) return { kind: 'webhook', id } as const;
  const publicId = `${typed.slice(0, 2).toUpperCase()}${typed.slice(2).toLowerCase()}`;
  const sourceId = messageIdFromPublic(publicId) ?? otpIdFromPublic(publicId);
  if (sourceId !== undefined) return { kind: 'some', sourceId } as const;
  const digits = typed.replace(/\D/g, '');
  const isNumber = /^\+?[\d\s().-]+$/.test(typed) && digits.length >= DIGITS_MIN;
  return isNumber ? ({ kind: 'some', digits } as const) : ({ kind: 'nothing' } as const);
}

/** Fields of events and callbacks that name their subject. */
interface SubjectFields {
  readonly to?: string;
  readonly sender?: string;
  readonly Sender?: string;
  readonly fromNumber?: string;
  readonly message_id?: string;
  readonly MessageId?: string;
  readonly otp_id?: string;
}

/** Reads the number and ids of an event from its payload; an example event has no subject. */
function subjectOf({ type, body, format, sourceId, isTest }: DeliveryRow): WebhookSubject {
  const parsed = JSON.parse(body) as SubjectFields & { readonly data?: SubjectFields };
  const { data } = parsed;
  const { to, sender, Sender, fromNumber, message_id: sent, MessageId, otp_id: otpId = null } = data ?? parsed;
  const received = type === 'message.received' || type === 'message.media_ready';
  // A callback's own fields differ from event fields; its source is the message.
  const messageId = format === 'standard' ? (sent ?? MessageId ?? null) : publicMessageId(sourceId);
  if (isTest) return { number: null, messageId: null, otpId: null, received };
  return { number: to ?? Sender ?? fromNumber ?? sender ?? null, messageId, otpId, received };
}

/** The failure of a last attempt counts until the schedule starts again or a call succeeds. */
function deliveryView(row: DeliveryRow, last: AttemptRow | undefined): WebhookDelivery {
  const { id, type, isTest: test, status, attempts, failures, dueAt, createdAt, finishedAt, format, url } = row;
  const hasFailed = failures > 0 && status !== 'delivered' && !isDelivered(last);
  return {
    id: publicWebhookId(id),
    type,
    test,
    status: status === 'sending' || status === 'waiting' ? 'pending' : status,
    attempts,
    failure: last && hasFailed ? { status: last.status, error: last.error } : null,
    about: subjectOf(row),
    createdAt: createdAt.toISOString(),
    nextAttemptAt: (status === 'waiting' && dueAt?.toISOString()) || null,
    finishedAt: finishedAt?.toISOString() ?? null,
    callback: format === 'standard' || url === null ? null : { format, url },
  };
}

function attemptView({ startedAt, durationMs, status, answer, error }: AttemptRow): WebhookAttempt {
  return { at: startedAt.toISOString(), durationMs, status, answer, error };
}

/** The body as it is posted. */
function sentBody({ format, accountId, body }: DeliveryRow): string {
  return format === 'twilio' ? new URLSearchParams(twilioParameters(accountId, body)).toString() : body;
}

function recordedOf(row: DeliveryRow, attempts: readonly AttemptRow[]): RecordedWebhook {
  const { id, type, status, attempts: count, createdAt, finishedAt, callback } = deliveryView(row, attempts[0]);
  return {
    id,
    type,
    callback: publicCallback(callback),
    status,
    created_at: createdAt,
    finished_at: finishedAt,
    body: sentBody(row),
    attempts: count,
    attempt_list: attempts.toReversed().map((attempt) => {
      const { at, durationMs, ...answer } = attemptView(attempt);
      return { at, duration_ms: durationMs, ...answer };
    }),
  };
}

/** Removes the query, which may hold secrets, because a record is passed on. */
function publicCallback(callback: WebhookDelivery['callback']): RecordedWebhook['callback'] {
  if (!callback) return null;
  const { origin, pathname } = new URL(callback.url);
  return { format: callback.format, url: `${origin}${pathname}` };
}

const EXAMPLE_ID = `SM${'0'.repeat(32)}`;
/** A number reserved for examples: https://www.nanpa.com/numbering/555-line-numbers */
const EXAMPLE_NUMBER = '+12025550142';

const exampleMessage = {
  message_id: EXAMPLE_ID,
  to: EXAMPLE_NUMBER,
  segments: 1,
  credits: 1,
  refunded: 0,
  reference: null,
  error_code: null,
  carrier_error: null,
};

const exampleMedia = {
  media_id: `ME${'0'.repeat(32)}`,
  url: 'https://pennytext.example/m/example',
  type: 'image/jpeg',
  bytes: 182_044,
  sha256: '0'.repeat(64),
  status: 'stored',
};

const exampleOtp = {
  otp_id: `OT${'0'.repeat(32)}`,
  message_id: EXAMPLE_ID,
  to: EXAMPLE_NUMBER,
  reference: null,
};

/** A number whose month ends in the given number of days. */
const exampleNumber = (at: Date, days: number) => ({
  number_id: `num_${'0'.repeat(32)}`,
  number: EXAMPLE_NUMBER,
  label: null,
  credits_per_month: 50,
  renews_at: daysAfter(at, days),
  releases_at: null,
});

function daysAfter(at: Date, days: number): string {
  return new Date(at.getTime() + days * DAY_MS).toISOString();
}

/** Returns the payload of a test event: every field of the type, about an invented message. */
export function examplePayload(type: WebhookEventType, at: Date): object {
  switch (type) {
    case 'message.received': {
      const Message = 'This is a test of your webhook.';
      return {
        MessageId: EXAMPLE_ID,
        Sender: EXAMPLE_NUMBER,
        Message,
        Status: 'Received',
        DateTime: newYorkTimestamp(at),
      };
    }
    case 'message.scheduled':
      return { ...exampleMessage, status: 'scheduled', send_at: new Date(at.getTime() + 3_600_000).toISOString() };
    case 'message.sent':
      return { ...exampleMessage, status: 'sent' };
    case 'message.rerouted':
      return { ...exampleMessage, status: 'queued', delivery: 'fast', attempt: 2, reason: 'slow' };
    case 'message.delivered':
      return { ...exampleMessage, status: 'delivered' };
    case 'message.undelivered':
      return {
        ...exampleMessage,
        status: 'undelivered',
        refunded: 1,
        error_code: 'not_delivered',
        carrier_error: 30_003,
      };
    case 'message.failed':
      return { ...exampleMessage, status: 'failed', refunded: 1, error_code: 'carrier_refused', carrier_error: 21_211 };
    case 'message.canceled':
      return { ...exampleMessage, status: 'canceled', refunded: 1 };
    case 'message.media_ready':
      return { message_id: EXAMPLE_ID, sender: EXAMPLE_NUMBER, media: [exampleMedia] };
    case 'otp.sent':
      return { ...exampleOtp, expires_at: at.toISOString() };
    case 'otp.verified':
      return { ...exampleOtp, verified_at: at.toISOString() };
    case 'otp.failed':
      return { ...exampleOtp, failed_at: at.toISOString() };
    case 'otp.expired':
      return { ...exampleOtp, expired_at: at.toISOString() };
    case 'otp.blocked':
      return {
        otp_id: exampleOtp.otp_id,
        to: EXAMPLE_NUMBER,
        reference: null,
        rule: 'conversion_hour',
        country: 'US',
        block: EXAMPLE_NUMBER.slice(0, 9),
        sent: 30,
        verified: 5,
        blocked_at: at.toISOString(),
      };
    case 'credits.low':
      return { balance: limits.lowCreditsDefault - 1, threshold: limits.lowCreditsDefault };
    case 'credits.daily_spend':
      return { day: newYorkDay(at), spent: 5_012, threshold: 5_000 };
    case 'number.active':
      return { ...exampleNumber(at, 30), status: 'active' };
    case 'number.past_due': {
      const releasesAt = daysAfter(at, limits.numberGraceDays);
      return { ...exampleNumber(at, 0), status: 'past_due', releases_at: releasesAt, day: 0 };
    }
    case 'number.released':
      return { ...exampleNumber(at, 0), status: 'released', renews_at: null, reason: 'owner' };
    case 'number.filtered':
      return { ...exampleNumber(at, 20), status: 'active', messages: 40, failed: 21 };
  }
}
