import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { limits } from '#contract/limits.js';
import { ApiKeys } from '#core/keys/api-keys.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { EVENTS_PER_READ, EventLog, READY_AFTER_MS, type SignedEvent } from '#core/webhooks/event-log.js';
import { ServerSentEvents } from '../../http/event-stream.js';
import type { ApiKey } from '#core/keys/api-key.js';

/** New events are read this often, in one statement for many streams. */
const READ_INTERVAL_MS = 300;
/** Wait after a failed read. */
const RETRY_INTERVAL_MS = 2_000;
const STREAMS_PER_READ = 50;
/** A key that no longer works ends its streams within this time. */
const KEY_CHECK_INTERVAL_MS = 3_000;
const KEYS_PER_CHECK = 100;
const HEARTBEAT_INTERVAL_MS = 15_000;
const KEEP_LISTENING_INTERVAL_MS = 60_000;
/**
 * A stream with more unread bytes gets no events until its client has read, and ends after two
 * heartbeats like that.
 */
const UNREAD_BYTES_MAX = 262_144;
const RETRY_AFTER_SECONDS = 5;
const RECONNECT_AFTER_STOP_MS = 1_000;

/** An authenticated caller. */
interface Subscriber {
  readonly accountId: string;
  readonly key: ApiKey;
  readonly address: string;
}

interface Subscription extends Subscriber {
  readonly stream: ServerSentEvents;
  /** Number of the last event sent. */
  number: number;
  /** Events up to this one are replayed. */
  readonly replayedUpTo: number;
  replayed: number;
  slowHeartbeats: number;
}

/**
 * The open streams of GET /api/events. Each is a cursor that moves over the account's stored
 * events, so a stream that replays and one that is live are the same, and no event is lost between
 * the two.
 */
@Injectable()
export class EventSubscriptions implements OnModuleDestroy {
  private readonly open = new Set<Subscription>();
  private readonly countOf = new Map<string, number>();
  private count = 0;
  private timers: NodeJS.Timeout[] = [];
  private readTimer: NodeJS.Timeout | undefined;
  private isReading = false;
  private isChecking = false;
  private isStopping = false;

  constructor(
    private readonly postgres: Postgres,
    private readonly events: EventLog,
    private readonly apiKeys: ApiKeys,
    private readonly logger: Logger,
  ) {}

  /**
   * Opens a stream after the event with the number `after`, or with the next event. Throws
   * `too_many_streams`, `unavailable`, and `invalid_request` for a number that the account's events
   * have not reached.
   */
  async subscribe(subscriber: Subscriber, after: number | undefined, response: ServerResponse): Promise<void> {
    const leave = this.enter(subscriber.accountId);
    try {
      const stream = new ServerSentEvents(response);
      if (subscriber.key.test) await this.showExamples(subscriber, stream, leave);
      else await this.follow(subscriber, after, stream, leave);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Ends all streams, which would otherwise keep the server from stopping. */
  onModuleDestroy(): void {
    this.isStopping = true;
    for (const { stream } of this.open) stream.endWith(`retry: ${RECONNECT_AFTER_STOP_MS}\n\n`);
    this.open.clear();
    this.stopTimers();
  }

  /** Counts a stream; the returned function, which may be called twice, counts its end. */
  private enter(accountId: string): () => void {
    const retry = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    if (this.isStopping || this.count >= limits.eventStreamsMax)
      throw new DomainError('unavailable', 'This server has no room for another stream. Try again.', retry);
    const count = this.countOf.get(accountId) ?? 0;
    const max = limits.eventStreamsPerAccountMax;
    if (count >= max)
      throw new DomainError('too_many_streams', `An account has at most ${max} streams. Close one first.`, retry);
    this.countOf.set(accountId, count + 1);
    this.count += 1;
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.count -= 1;
      const left = (this.countOf.get(accountId) ?? 1) - 1;
      if (left > 0) this.countOf.set(accountId, left);
      else this.countOf.delete(accountId);
    };
  }

  private async showExamples(subscriber: Subscriber, stream: ServerSentEvents, leave: () => void): Promise<void> {
    const examples = await this.events.examples(subscriber.accountId);
    this.start({ ...subscriber, stream, number: 0, replayedUpTo: 0, replayed: 0, slowHeartbeats: 0 }, leave, '');
    stream.send(`: ready\n\n${examples.map((event) => eventText(event)).join('')}`);
  }

  private async follow(
    subscriber: Subscriber,
    after: number | undefined,
    stream: ServerSentEvents,
    leave: () => void,
  ): Promise<void> {
    const { lastNumber, firstNumber, isNew, isFresh } = await this.events.listen(subscriber.accountId);
    if (after !== undefined && after > lastNumber)
      throw new DomainError('invalid_request', 'Last-Event-ID: is not the id of an event of this account.');
    const number = after ?? lastNumber;
    const state = { stream, number, replayedUpTo: lastNumber, replayed: 0, slowHeartbeats: 0 };
    this.start({ ...subscriber, ...state }, leave, `id: ${number}\n`);
    const isMissing = number < lastNumber && (firstNumber === null || firstNumber > number + 1);
    if (after !== undefined && (isNew || isMissing)) stream.send('event: gap\ndata: {}\n\n');
    if (isFresh) setTimeout(() => stream.send(': ready\n\n'), READY_AFTER_MS).unref();
    else stream.send(': ready\n\n');
  }

  private start(subscription: Subscription, leave: () => void, first: string): void {
    const { stream } = subscription;
    this.open.add(subscription);
    const onClosed = () => {
      leave();
      this.open.delete(subscription);
      if (this.open.size === 0) this.stopTimers();
    };
    stream.open(onClosed, first);
    if (stream.isClosed) return onClosed();
    if (this.isStopping) return stream.endWith('');
    this.startTimers();
  }

  private startTimers(): void {
    if (this.timers.length > 0) return;
    this.timers = [
      setInterval(() => this.sendHeartbeats(), HEARTBEAT_INTERVAL_MS),
      setInterval(() => void this.checkKeys(), KEY_CHECK_INTERVAL_MS),
      setInterval(() => void this.keepListening(), KEEP_LISTENING_INTERVAL_MS),
    ];
    this.scheduleRead(0);
  }

  private stopTimers(): void {
    for (const timer of this.timers) clearInterval(timer);
    this.timers = [];
    clearTimeout(this.readTimer);
    this.readTimer = undefined;
  }

  private scheduleRead(inMs: number): void {
    if (this.isReading || this.readTimer) return;
    this.readTimer = setTimeout(() => {
      this.readTimer = undefined;
      void this.readAll();
    }, inMs);
  }

  private async readAll(): Promise<void> {
    this.isReading = true;
    let waitMs = READ_INTERVAL_MS;
    try {
      const reading = [...this.open].filter(({ key, stream }) => !key.test && stream.unreadBytes <= UNREAD_BYTES_MAX);
      for (let first = 0; first < reading.length; first += STREAMS_PER_READ)
        if (await this.read(reading.slice(first, first + STREAMS_PER_READ))) waitMs = 0;
    } catch (err) {
      // Nothing is lost: the cursors stay.
      this.logger.warn({ err, streams: this.open.size }, 'events not read');
      waitMs = RETRY_INTERVAL_MS;
    }
    this.isReading = false;
    if (this.timers.length > 0) this.scheduleRead(waitMs);
  }

  /** Sends the next events of these streams; returns whether a stream may have more. */
  private async read(subscriptions: readonly Subscription[]): Promise<boolean> {
    const pages = await this.events.readAfter(subscriptions);
    for (const [index, subscription] of subscriptions.entries()) {
      const page = pages[index] ?? [];
      const last = page.at(-1);
      if (!last) continue;
      const { stream, replayedUpTo } = subscription;
      stream.send(page.map((event) => `id: ${event.number}\n${eventText(event)}`).join(''));
      subscription.number = last.number;
      if (last.number <= replayedUpTo) subscription.replayed += page.length;
      // The client continues after its last event.
      if (subscription.replayed >= limits.eventsReplayedMax && last.number < replayedUpTo) this.end(subscription, '');
    }
    return pages.some((page) => page.length === EVENTS_PER_READ);
  }

  private sendHeartbeats(): void {
    for (const subscription of this.open) {
      const { stream } = subscription;
      subscription.slowHeartbeats = stream.unreadBytes > UNREAD_BYTES_MAX ? subscription.slowHeartbeats + 1 : 0;
      if (subscription.slowHeartbeats > 1) stream.destroy();
      else stream.send(': heartbeat\n\n');
    }
  }

  /** While the database is unavailable the streams stay open: no key can be revoked either. */
  private async checkKeys(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    const open = [...this.open];
    for (let first = 0; first < open.length; first += KEYS_PER_CHECK)
      await Promise.all(open.slice(first, first + KEYS_PER_CHECK).map((subscription) => this.checkKey(subscription)));
    this.isChecking = false;
  }

  private async checkKey(subscription: Subscription): Promise<void> {
    const { key, address, accountId } = subscription;
    try {
      await this.postgres.ofApiKey(key.hash, () => this.apiKeys.authenticate(key, address, 'read'));
    } catch (err) {
      if (err instanceof DomainError && err.status < 500)
        this.end(subscription, `event: closed\ndata: ${JSON.stringify({ code: err.code, detail: err.detail })}\n\n`);
      else this.logger.warn({ err, accountId }, 'key of an event stream not checked');
    }
  }

  private async keepListening(): Promise<void> {
    const accountIds = new Set([...this.open].filter(({ key }) => !key.test).map(({ accountId }) => accountId));
    try {
      await this.events.keepListening([...accountIds]);
    } catch (err) {
      this.logger.warn({ err, accounts: accountIds.size }, 'event listeners not extended');
    }
  }

  private end(subscription: Subscription, last: string): void {
    this.open.delete(subscription);
    subscription.stream.endWith(last);
  }
}

/**
 * An event with the headers of its signature as further fields, which other clients ignore (HTML
 * standard, section 9.2.6).
 */
function eventText({ type, headers, body }: SignedEvent): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  return `event: ${type}\n${fields.join('')}data: ${body}\n\n`;
}
