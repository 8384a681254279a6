import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { Sessions } from '#core/accounts/sessions/sessions.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { EventStream } from './event-stream.js';

export const STREAMS_PER_ACCOUNT_MAX = 10;
export const STREAMS_MAX = 2_000;
/** Also how long a stream may outlive its session. */
const SESSION_CHECK_EVERY_MS = 3_000;
const HEARTBEAT_EVERY_MS = 20_000;
const RETRY_AFTER_SECONDS = 5;

/** The streams that are open in this process, by account. */
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

  /** Opens a stream; the account's oldest ends when it has too many. Throws `unavailable` when the process has too many. */
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
    stream.open(() => this.forget(accountId, stream));
    if (stream.isGone) this.forget(accountId, stream);
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

  /** Streams would hold the server's stop up for as long as their pages are open. */
  onModuleDestroy(): void {
    this.isStopping = true;
    for (const [accountId, streams] of this.byAccount) for (const stream of streams) this.end(accountId, stream);
  }

  private end(accountId: string, stream: EventStream, reason?: 'signed_out' | 'too_many_streams'): void {
    stream.end(reason);
    this.forget(accountId, stream);
  }

  private forget(accountId: string, stream: EventStream): void {
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
      setInterval(() => this.beat(), HEARTBEAT_EVERY_MS),
      setInterval(() => void this.checkSessions(), SESSION_CHECK_EVERY_MS),
    ];
  }

  private beat(): void {
    for (const streams of this.byAccount.values()) for (const stream of streams) stream.beat();
  }

  /** While the database is away nobody can sign out, and the streams stay. */
  private async checkSessions(): Promise<void> {
    const open = [...this.byAccount].flatMap(([accountId, streams]) =>
      [...streams].map((stream) => ({ accountId, stream })),
    );
    try {
      const live = await this.sessions.liveAmong(open.map(({ stream }) => stream.token));
      for (const { accountId, stream } of open) if (!live.has(stream.token)) this.end(accountId, stream, 'signed_out');
    } catch (err) {
      this.logger.warn({ err, streams: open.length }, 'sessions of open pages not checked');
    }
  }
}
