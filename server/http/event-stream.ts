import type { FastifyReply } from 'fastify';
import type { ServerResponse } from 'node:http';
import { leavePlace } from './account-places.js';

/** Time that a client waits before it reconnects. */
const RECONNECT_MS = 2_000;
/** Bounds the time that a client which does not read delays a shutdown. */
const END_TIMEOUT_MS = 1_000;

/** A stream of server-sent events (HTML standard, section 9.2). */
export class ServerSentEvents {
  constructor(protected readonly response: ServerResponse) {}

  get isClosed(): boolean {
    return this.response.destroyed;
  }

  /** Bytes that the client has not taken yet. */
  get unreadBytes(): number {
    return this.response.writableLength;
  }

  /** Begins the answer, with these lines after the time to reconnect. */
  open(onClosed: () => void, first = ''): void {
    this.response.on('close', onClosed);
    this.response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Makes nginx forward each event at once.
      'X-Accel-Buffering': 'no',
    });
    this.send(`retry: ${RECONNECT_MS}\n${first}\n`);
  }

  send(text: string): void {
    if (!this.response.destroyed && !this.response.writableEnded) this.response.write(text);
  }

  destroy(): void {
    this.response.destroy();
  }

  /** Ends the stream after this text. */
  endWith(last: string): void {
    if (last !== '') this.send(last);
    this.response.end();
    setTimeout(() => this.response.destroy(), END_TIMEOUT_MS).unref();
  }
}

/**
 * Takes the answer over from Fastify, to stream it; the headers that hooks have set stay. A stream
 * keeps no place of its account: it may be open for hours.
 */
export function takeResponse(reply: FastifyReply): ServerResponse {
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  leavePlace(reply.raw);
  return reply.raw;
}
