import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { Credits } from '#core/credits/credits.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { ChangedMessages } from '#core/messages/changed-messages.js';
import { PubSub } from '#core/platform/events/pub-sub.js';
import { readEvents } from '#core/platform/events/event-text.js';
import { publicMessageId } from '#core/rules/message-id.js';
import { AccountChanges, type Changes } from './account-changes.js';
import { eventText } from './event-stream.js';
import { EventStreams } from './event-streams.js';

/** Hints wait this long for more; one read then serves every account and every page that is open. */
const READ_EVERY_MS = 150;
const RETRY_AFTER_MS = 1_000;
const ROWS_MAX = 2_000;

const everything: Changes = { sent: [], received: [], many: true };

/** Turns hints into events: reads what changed once for all pages of this process that watch, and sends it to its own account. */
@Injectable()
export class LiveUpdates implements OnApplicationShutdown {
  private readonly changes = new Map<string, AccountChanges>();
  private isListening = false;
  private timer: NodeJS.Timeout | undefined;
  private isReading = false;
  private readAtMs = -Infinity;

  constructor(
    private readonly line: PubSub,
    private readonly streams: EventStreams,
    private readonly messages: ChangedMessages,
    private readonly credits: Credits,
    private readonly logger: Logger,
  ) {}

  /** Opens a page's stream. `live` is its first event: at once, or when the line of news is there. Throws `unavailable`. */
  open(accountId: string, token: string, response: ServerResponse): void {
    const stream = this.streams.open(accountId, token, response);
    if (!this.isListening) {
      this.isListening = true;
      this.line.listen({ onText: (text) => this.hear(text), onLive: () => this.goLive() });
    } else if (this.line.isLive) stream.send(eventText('live', {}));
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  private goLive(): void {
    this.streams.sendAll(eventText('live', {}));
  }

  private hear(text: string): void {
    const news = readEvents(text);
    if (!news) {
      this.logger.warn({}, 'news not understood');
      return;
    }
    for (const { accountId, ...hint } of news.hints) this.note(accountId, hint);
    if (news.missed) for (const accountId of this.streams.accountIds) this.note(accountId, everything);
  }

  private note(accountId: string, hint: Changes): void {
    if (!this.streams.has(accountId)) return;
    const changes = this.changes.get(accountId) ?? new AccountChanges();
    this.changes.set(accountId, changes);
    changes.add(hint);
    this.schedule(this.readAtMs + READ_EVERY_MS - performance.now());
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
    const due = this.take();
    let waitMs = READ_EVERY_MS;
    try {
      await this.tell(due);
    } catch (err) {
      // Nothing is lost: the pages read their views when the database is back.
      this.logger.warn({ err, accounts: due.size }, 'news not read');
      for (const accountId of due.keys()) this.changes.get(accountId)?.add(everything);
      waitMs = RETRY_AFTER_MS;
    }
    this.isReading = false;
    this.readAtMs = performance.now();
    if ([...this.changes.values()].some(({ isWaiting }) => isWaiting)) this.schedule(waitMs);
  }

  /** What is to be told of each account; accounts beyond the bound of rows read their views instead. */
  private take(): Map<string, Changes> {
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

  private async tell(due: ReadonlyMap<string, Changes>): Promise<void> {
    if (due.size === 0) return;
    const [messages, balances] = await Promise.all([
      this.messages.read([...due.values()].flatMap(({ sent }) => sent)),
      this.credits.balancesOf([...due.keys()]),
    ]);
    // A row goes to the account it belongs to, whatever the hint said.
    for (const { accountId, message } of messages)
      if (due.has(accountId)) this.streams.send(accountId, eventText('message', message));
    for (const [accountId, { received, many }] of due) {
      const message_ids = received.map(publicMessageId);
      if (message_ids.length > 0) this.streams.send(accountId, eventText('received', { message_ids }));
      const balance = balances.get(accountId);
      if (balance) this.streams.send(accountId, eventText('balance', balance));
      if (many) this.streams.send(accountId, eventText('many', {}));
    }
  }
}
