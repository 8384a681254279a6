import type { ServerResponse } from 'node:http';
import type { DashboardEventName, DashboardEvents } from '#contract/dashboard-events.js';

/** What a page may leave unread. One that reads more slowly is dropped; it connects again and reads its view. */
const UNREAD_BYTES_MAX = 262_144;
/** How long a browser waits before it connects again. */
const RETRY_MS = 2_000;
/** A page that does not read holds no stop up for longer. */
const END_WITHIN_MS = 1_000;

/** One page's stream of server-sent events (HTML standard, section 9.2). */
export class EventStream {
  constructor(
    private readonly response: ServerResponse,
    /** The session it was opened with. */
    readonly token: string,
  ) {}

  /** A page that left before its stream was open. */
  get isGone(): boolean {
    return this.response.destroyed;
  }

  /** `X-Accel-Buffering` has nginx pass each event on at once. */
  open(onClosed: () => void): void {
    this.response.on('close', onClosed);
    this.response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    this.write(`retry: ${RETRY_MS}\n\n`);
  }

  send(text: string): void {
    this.write(text);
  }

  /** A comment, so that proxies keep the connection and a page that is gone is noticed. */
  beat(): void {
    this.write(': still here\n\n');
  }

  /** With a reason the page does not come back by itself. */
  end(reason?: DashboardEvents['ended']['reason']): void {
    if (reason) this.write(eventText('ended', { reason }));
    this.response.end();
    setTimeout(() => this.response.destroy(), END_WITHIN_MS).unref();
  }

  private write(text: string): void {
    if (this.response.destroyed || this.response.writableEnded) return;
    if (this.response.writableLength > UNREAD_BYTES_MAX) this.response.destroy();
    else this.response.write(text);
  }
}

/** An event as it goes over the wire; JSON has no line breaks, so its data is one line. */
export function eventText<Name extends DashboardEventName>(name: Name, data: DashboardEvents[Name]): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
