import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import type { DashboardEventName, DashboardEvents } from '#contract/dashboard.js';
import { Sessions } from '#core/accounts/sessions/sessions.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { ServerSentEvents } from '../../http/event-stream.js';

export const STREAMS_PER_ACCOUNT_MAX = 10;
export const STREAMS_MAX = 2_000;
/** The longest time a stream stays open after its session has ended. */
const SESSION_CHECK_INTERVAL_MS = 3_000;
/** Pages count on this interval: see web/src/dashboard/live/live-events.tsx. */
const HEARTBEAT_INTERVAL_MS = 2_000;
const RETRY_AFTER_SECONDS = 5;

/** Unread bytes after which a slow page is disconnected. It reconnects and reloads its view. */
const UNREAD_BYTES_MAX = 262_144;
type EndReason = DashboardEvents['ended']['reason'];

export class EventStream extends ServerSentEvents {
  constructor(
    response: ServerResponse,
    readonly token: string,
  ) {
    super(response);
  }

  override send(text: string): void {
    if (this.unreadBytes > UNREAD_BYTES_MAX) this.destroy();
    else super.send(text);
  }

  /** Ends the stream. A page that receives a reason does not reconnect. */
  end(reason?: EndReason): void {
    this.endWith(reason ? eventText('ended', { reason }) : '');
  }
}

/** Formats an event. JSON contains no line breaks, so its data is one line. */
export function eventText<Name extends DashboardEventName>(name: Name, data: DashboardEvents[Name]): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The open streams of this process by account. Ends a stream when its session has ended. */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  private readonly byAccount = new Map<string, Set<EventStream>>();
  private count = 0;
  private timers: NodeJS.Timeout[] = [];
  private isStopping = false;

  constructor(
    private readonly sessions: Sessions,
    private readonly logger: Logger,
  ) {}

  /**
   * Opens a stream, and ends the account's oldest stream over its limit. Throws `unavailable` at
   * the limit of the process.
   */
  open(accountId: string, token: string, response: ServerResponse): EventStream {
    if (this.count >= STREAMS_MAX || this.isStopping)
      throw new DomainError('unavailable', 'Too many pages are open at the moment. Try again.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    const streams = this.byAccount.get(accountId) ?? new Set();
    this.byAccount.set(accountId, streams);
    const stream = new EventStream(response, token);
    streams.add(stream);
    this.count += 1;
    stream.open(() => this.remove(accountId, stream));
    if (stream.isClosed) this.remove(accountId, stream);
    const [oldest] = streams;
    if (streams.size > STREAMS_PER_ACCOUNT_MAX && oldest) this.end(accountId, oldest, 'too_many_streams');
    this.startTimers();
    return stream;
  }

  has(accountId: string): boolean {
    return this.byAccount.has(accountId);
  }

  get accountIds(): string[] {
    return [...this.byAccount.keys()];
  }

  send(accountId: string, text: string): void {
    for (const stream of this.byAccount.get(accountId) ?? []) stream.send(text);
  }

  sendAll(text: string): void {
    for (const accountId of this.accountIds) this.send(accountId, text);
  }

  /** Ends all streams, which would otherwise keep the server from stopping. */
  onModuleDestroy(): void {
    this.isStopping = true;
    for (const [accountId, streams] of this.byAccount) for (const stream of streams) this.end(accountId, stream);
  }

  private end(accountId: string, stream: EventStream, reason?: EndReason): void {
    stream.end(reason);
    this.remove(accountId, stream);
  }

  private remove(accountId: string, stream: EventStream): void {
    const streams = this.byAccount.get(accountId);
    if (!streams?.delete(stream)) return;
    this.count -= 1;
    if (streams.size === 0) this.byAccount.delete(accountId);
    if (this.count > 0) return;
    this.timers.forEach((timer) => clearInterval(timer));
    this.timers = [];
  }

  private startTimers(): void {
    if (this.timers.length > 0) return;
    this.timers = [
      // Also keeps proxies from closing the connection, and reveals pages that have disconnected.
      setInterval(() => this.sendAll(eventText('beat', {})), HEARTBEAT_INTERVAL_MS),
      setInterval(() => void this.checkSessions(), SESSION_CHECK_INTERVAL_MS),
    ];
  }

  /** While the database is unavailable the streams stay open: no one can sign out either. */
  private async checkSessions(): Promise<void> {
    const open = [...this.byAccount].flatMap(([accountId, streams]) =>
      [...streams].map((stream) => ({ accountId, stream })),
    );
    try {
      const live = await this.sessions.liveAmong(open.map(({ stream }) => stream.token));
      for (const { accountId, stream } of open) if (!live.has(stream.token)) this.end(accountId, stream, 'signed_out');
    } catch (err) {
      this.logger.warn({ err, streams: open.length }, 'sessions of live streams not checked');
    }
  }
}
