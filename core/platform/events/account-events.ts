import { z } from 'zod';
import { type BeforeApplicationShutdown, Global, Injectable, Module } from '@nestjs/common';
import { Logger } from '../telemetry/logger.js';
import { Config } from '../config/config.js';
import { Postgres } from '../database/postgres.js';
import { RedisClient } from '../queue/redis-client.js';
import { SharedCounters } from '../queue/shared-counters.js';
import { PostgresPubSub } from '../queue/postgres-backend.js';
import { RedisPubSub } from '../queue/redis-pub-sub.js';
import { PubSub } from '../queue/pub-sub.js';

/** Maximum of ids of one kind in an event; beyond it the event is `many`. */
export const EVENT_IDS_MAX = 100;
/**
 * Postgres takes 8,000 bytes in a notification (PostgreSQL manual, NOTIFY); all that is written
 * here is ASCII.
 */
const TEXT_BYTES_MAX = 7_900;

const ids = z.array(z.uuid()).max(EVENT_IDS_MAX).readonly();
const accountEvent = z.object({
  accountId: z.uuid(),
  /** Outgoing messages that are new or have changed, oldest change first. */
  sent: ids,
  /** Inbound messages that are new or have changed. */
  received: ids,
  /** True if more has changed than the ids name. */
  many: z.boolean(),
  /** The welcome email could not be sent. */
  welcome: z.literal(true).optional(),
  /** Matters that need the owner's attention may have changed. */
  notifications: z.literal(true).optional(),
});
const eventBatch = z.object({
  hints: z.array(accountEvent).readonly(),
  /** Earlier events were lost: anything may have changed. */
  missed: z.boolean(),
});

/** A change of an account, possibly of its balance. Names rows, without their contents. */
export type AccountEvent = Readonly<z.infer<typeof accountEvent>>;
export type EventBatch = Readonly<z.infer<typeof eventBatch>>;

/** Serializes events for other processes, in as many texts as the bound requires. */
export function writeEvents({ hints, missed }: EventBatch): string[] {
  const texts: string[] = [];
  let written: string[] = [];
  let bytes = 0;
  const end = () => {
    texts.push(`{"hints":[${written.join(',')}],"missed":${missed && texts.length === 0}}`);
    written = [];
    bytes = 0;
  };
  for (const text of hints.map((one) => eventText(one))) {
    if (bytes + text.length > TEXT_BYTES_MAX - FRAME_BYTES && written.length > 0) end();
    written.push(text);
    bytes += text.length + 1;
  }
  if (written.length > 0 || missed) end();
  return texts;
}

const FRAME_BYTES = '{"hints":[],"missed":false}'.length;

/** An event with both lists full is too long for one text and becomes `many`. */
function eventText(one: AccountEvent): string {
  const text = JSON.stringify(one);
  if (text.length <= TEXT_BYTES_MAX - FRAME_BYTES) return text;
  return JSON.stringify({ ...one, sent: [], received: [], many: true } satisfies AccountEvent);
}

/** Parses a text; undefined when a process of another version wrote it in another form. */
export function readEvents(text: string): EventBatch | undefined {
  try {
    return eventBatch.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof Error && error.name === 'SyntaxError') return undefined;
    throw error;
  }
}

/** Time for which events are collected; the first event after a pause is published at once. */
const PUBLISH_EVERY_MS = 100;
const RETRY_AFTER_MS = 1_000;
const ACCOUNTS_MAX = 5_000;

interface Waiting {
  readonly sent: Set<string>;
  readonly received: Set<string>;
  many: boolean;
  welcome: boolean;
  notifications: boolean;
}

/**
 * Publishes to the servers, for their open pages, that something of an account changed. Call it
 * after the commit: it adds to a set, never waits and never fails. Events that cannot be published
 * are dropped, and the next batch reports that some were missed.
 */
@Injectable()
export class AccountEvents implements BeforeApplicationShutdown {
  private waiting = new Map<string, Waiting>();
  private missed = false;
  private timer: NodeJS.Timeout | undefined;
  private publishing: Promise<void> = Promise.resolve();
  private isPublishing = false;
  private publishedAtMs = -Infinity;

  constructor(
    private readonly pubSub: PubSub,
    private readonly logger: Logger,
  ) {}

  /** An outgoing message is new or has changed. */
  changed(accountId: string, messageId: string): void {
    this.add(accountId, 'sent', messageId);
  }

  /** An inbound message is new or has changed. */
  received(accountId: string, inboundId: string): void {
    this.add(accountId, 'received', inboundId);
  }

  /** The welcome email could not be sent. */
  welcomeChanged(accountId: string): void {
    const waiting = this.of(accountId);
    if (waiting) waiting.welcome = true;
  }

  /** Matters that need the owner's attention may have changed, besides the balance. */
  notificationsChanged(accountId: string): void {
    const waiting = this.of(accountId);
    if (waiting) waiting.notifications = true;
  }

  /** The balance has changed, or data without an id in events, such as opt-outs. */
  balanceChanged(accountId: string): void {
    this.of(accountId);
  }

  /** Publishes the last events before the connections close. */
  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.publishing;
    if (this.waiting.size > 0) await this.publish();
  }

  private add(accountId: string, list: 'sent' | 'received', id: string): void {
    const waiting = this.of(accountId);
    if (!waiting) return;
    if (waiting[list].size < EVENT_IDS_MAX) waiting[list].add(id);
    else waiting.many = true;
  }

  private of(accountId: string): Waiting | undefined {
    const known = this.waiting.get(accountId);
    if (known) return known;
    if (this.waiting.size >= ACCOUNTS_MAX) {
      this.missed = true;
      return undefined;
    }
    const waiting: Waiting = {
      sent: new Set(),
      received: new Set(),
      many: false,
      welcome: false,
      notifications: false,
    };
    this.waiting.set(accountId, waiting);
    this.schedule(this.publishedAtMs + PUBLISH_EVERY_MS - performance.now());
    return waiting;
  }

  private schedule(inMs: number): void {
    if (this.timer || this.isPublishing) return;
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        this.publishing = this.publish();
      },
      Math.max(0, inMs),
    );
    // A process with nothing else to do may exit; `beforeApplicationShutdown` publishes the last
    // events.
    this.timer.unref();
  }

  private async publish(): Promise<void> {
    const hints: AccountEvent[] = [...this.waiting].map(([accountId, waiting]) => ({
      accountId,
      sent: [...waiting.sent],
      received: [...waiting.received],
      many: waiting.many,
      ...(waiting.welcome && { welcome: true }),
      ...(waiting.notifications && { notifications: true }),
    }));
    const { missed } = this;
    this.waiting = new Map();
    this.missed = false;
    this.isPublishing = true;
    try {
      await Promise.all(writeEvents({ hints, missed }).map((text) => this.pubSub.publish(text)));
    } catch (err) {
      this.logger.debug({ err, accounts: hints.length }, 'account events dropped');
      this.missed = true;
    }
    this.isPublishing = false;
    this.publishedAtMs = performance.now();
    if (this.missed) this.schedule(RETRY_AFTER_MS);
    else if (this.waiting.size > 0) this.schedule(PUBLISH_EVERY_MS);
  }
}

/**
 * Account events from every process to every server: over Redis if the queues use it, otherwise
 * over Postgres.
 */
@Global()
@Module({
  providers: [
    {
      provide: PubSub,
      inject: [Config, SharedCounters, Postgres, Logger],
      useFactory: (config: Config, counters: SharedCounters, postgres: Postgres, logger: Logger): PubSub =>
        counters instanceof RedisClient
          ? new RedisPubSub(counters, logger)
          : new PostgresPubSub(postgres, config, logger),
    },
    AccountEvents,
  ],
  exports: [AccountEvents, PubSub],
})
export class AccountEventsModule {}
