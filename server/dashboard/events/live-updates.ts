import { Controller, Get, Injectable, type OnApplicationShutdown, Req, Res, UseGuards } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { dashboardEventsPath } from '#contract/dashboard.js';
import { Credits } from '#core/credits/credits.js';
import { Messages } from '#core/messages/history/messages.js';
import { type AccountEvent, readEvents } from '#core/platform/events/account-events.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { PubSub } from '#core/platform/queue/pub-sub.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { publicMessageId } from '#core/rules/ids.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { SessionCookie, SessionGuard, SignedIn } from '../../auth/session.guard.js';
import { takeResponse } from '../../http/event-stream.js';
import { EventStreams, eventText } from './event-streams.js';

/** Account events are collected for this long; one read then serves every account and page. */
const READ_INTERVAL_MS = 150;
const RETRY_AFTER_MS = 1_000;
/** Message rows per read. */
const ROWS_MAX = 2_000;
/** Message rows per account and read. After more changes than this its pages reload their views. */
const ROWS_PER_ACCOUNT_MAX = 200;
/** The shortest time between two `many` events, which reload a page's view. */
const MANY_INTERVAL_MS = 1_000;

/** Changes of an account, except its balance. */
export type Changes = Omit<AccountEvent, 'accountId'>;

const everything: Changes = { sent: [], received: [], many: true };

/** Changes of one account that its pages have not received yet. */
export class AccountChanges {
  private sent = new Set<string>();
  private received = new Set<string>();
  private many = false;
  private welcome: true | undefined;
  private notifications: true | undefined;
  private isTouched = false;
  private manySentAtMs = -Infinity;

  add({ sent, received, many, welcome = this.welcome, notifications = this.notifications }: Changes): void {
    this.isTouched = true;
    this.welcome = welcome;
    this.notifications = notifications;
    this.many ||= many;
    for (const id of sent) this.sent.add(id);
    for (const id of received) this.received.add(id);
    if (this.sent.size + this.received.size > ROWS_PER_ACCOUNT_MAX) this.many = true;
    if (!this.many) return;
    this.sent.clear();
    this.received.clear();
  }

  get isWaiting(): boolean {
    return this.isTouched || this.many;
  }

  /**
   * Removes and returns the changes that are due; undefined when there are none. A `many` that is
   * too early stays.
   */
  take(nowMs: number): Changes | undefined {
    const many = this.many && nowMs - this.manySentAtMs >= MANY_INTERVAL_MS;
    if (!this.isTouched && !many) return undefined;
    const changes = {
      sent: [...this.sent],
      received: [...this.received],
      many,
      ...(this.welcome && { welcome: true as const }),
      ...(this.notifications && { notifications: true as const }),
    };
    this.sent.clear();
    this.received.clear();
    this.isTouched = false;
    this.welcome = undefined;
    this.notifications = undefined;
    if (many) {
      this.many = false;
      this.manySentAtMs = nowMs;
    }
    return changes;
  }
}

/**
 * Turns account events into dashboard events: reads each change once for all pages of this process.
 */
@Injectable()
export class LiveUpdates implements OnApplicationShutdown {
  private readonly changes = new Map<string, AccountChanges>();
  private isSubscribed = false;
  private timer: NodeJS.Timeout | undefined;
  private isReading = false;
  private readAtMs = -Infinity;

  constructor(
    private readonly pubSub: PubSub,
    private readonly streams: EventStreams,
    private readonly postgres: Postgres,
    private readonly messages: Messages,
    private readonly credits: Credits,
    private readonly logger: Logger,
  ) {}

  /**
   * Opens a page's stream. Its first event is `live`, as soon as account events arrive. Throws
   * `unavailable`.
   */
  open(accountId: string, token: string, response: ServerResponse): void {
    const stream = this.streams.open(accountId, token, response);
    if (!this.isSubscribed) {
      this.isSubscribed = true;
      this.pubSub.listen({
        onText: (text) => this.receive(text),
        onLive: () => this.streams.sendAll(eventText('live', {})),
      });
    } else if (this.pubSub.isLive) stream.send(eventText('live', {}));
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  private receive(text: string): void {
    const events = readEvents(text);
    if (!events) {
      this.logger.warn({}, 'account events not readable');
      return;
    }
    for (const { accountId, ...changes } of events.hints) this.add(accountId, changes);
    if (events.missed) for (const accountId of this.streams.accountIds) this.add(accountId, everything);
  }

  private add(accountId: string, changes: Changes): void {
    if (!this.streams.has(accountId)) return;
    const waiting = this.changes.get(accountId) ?? new AccountChanges();
    this.changes.set(accountId, waiting);
    waiting.add(changes);
    this.schedule(this.readAtMs + READ_INTERVAL_MS - performance.now());
  }

  private schedule(inMs: number): void {
    if (this.timer || this.isReading) return;
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        void this.read();
      },
      Math.max(0, inMs),
    );
  }

  private async read(): Promise<void> {
    this.isReading = true;
    const due = this.takeDue();
    let waitMs = READ_INTERVAL_MS;
    try {
      await this.send(due);
    } catch (err) {
      // Nothing is lost: the pages reload their views when the database is back.
      this.logger.warn({ err, accounts: due.size }, 'live updates not read');
      for (const accountId of due.keys()) this.changes.get(accountId)?.add(everything);
      waitMs = RETRY_AFTER_MS;
    }
    this.isReading = false;
    this.readAtMs = performance.now();
    if ([...this.changes.values()].some(({ isWaiting }) => isWaiting)) this.schedule(waitMs);
  }

  /**
   * Takes the changes that are due by account. Pages of accounts over the bound of rows reload
   * their views instead.
   */
  private takeDue(): Map<string, Changes> {
    const due = new Map<string, Changes>();
    let rows = 0;
    for (const [accountId, waiting] of this.changes) {
      if (!this.streams.has(accountId)) {
        this.changes.delete(accountId);
        continue;
      }
      if (rows > ROWS_MAX && waiting.isWaiting) waiting.add(everything);
      const changes = waiting.take(performance.now());
      if (!changes) continue;
      rows += changes.sent.length;
      due.set(accountId, changes);
    }
    return due;
  }

  private async send(due: ReadonlyMap<string, Changes>): Promise<void> {
    if (due.size === 0) return;
    const [messages, balances] = await this.postgres.ofAll(() =>
      Promise.all([
        this.messages.changed([...due.values()].flatMap(({ sent }) => sent)),
        this.credits.balancesOf([...due.keys()]),
      ]),
    );
    // A row goes to the account that owns it, whatever the event named.
    for (const { accountId, message } of messages)
      if (due.has(accountId)) this.streams.send(accountId, eventText('message', message));
    for (const [accountId, { received, many, welcome, notifications }] of due) {
      const message_ids = received.map(publicMessageId);
      if (message_ids.length > 0) this.streams.send(accountId, eventText('received', { message_ids }));
      const balance = balances.get(accountId);
      if (balance) this.streams.send(accountId, eventText('balance', balance));
      if (many) this.streams.send(accountId, eventText('many', {}));
      if (welcome) this.streams.send(accountId, eventText('welcome', {}));
      if (notifications) this.streams.send(accountId, eventText('notifications', {}));
    }
  }
}

/**
 * GET /api/dashboard/events: changes in the account as server-sent events, while the page is open.
 */
@Controller(dashboardEventsPath)
@UseGuards(SessionGuard)
export class DashboardEventsController {
  constructor(
    private readonly liveUpdates: LiveUpdates,
    private readonly cookie: SessionCookie,
  ) {}

  @Get()
  stream(@SignedIn() { accountId }: SessionAccount, @Req() request: FastifyRequest, @Res() reply: FastifyReply): void {
    if (request.method === 'HEAD') return void reply.type('text/event-stream; charset=utf-8').send();
    this.liveUpdates.open(accountId, this.cookie.read(request) ?? '', takeResponse(reply));
    reply.hijack();
  }
}
