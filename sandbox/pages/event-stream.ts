import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

const CLIENTS_MAX = 32;
const HEARTBEAT_EVERY_MS = 15_000;
const UNREAD_BYTES_MAX = 1_048_576;

/** Server-sent events for open pages. Missed events are not repeated: on `hello` a page reloads its view. */
export class EventStream {
  // Changes with every start, so that a page notices a restart and drops its old view.
  private readonly boot = randomUUID();
  private readonly clients = new Set<ServerResponse>();
  private heartbeat: NodeJS.Timeout | undefined;

  get isWatched(): boolean {
    return this.clients.size > 0;
  }

  /** Adds a page; returns false when the limit is reached. */
  join(client: ServerResponse): boolean {
    if (this.clients.size >= CLIENTS_MAX) return false;
    this.clients.add(client);
    client.on('close', () => this.leave(client));
    client.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    client.write(`retry: 1000\nevent: hello\ndata: {"boot":"${this.boot}"}\n\n`);
    this.heartbeat ??= setInterval(() => this.write(': still here\n\n'), HEARTBEAT_EVERY_MS);
    return true;
  }

  send(event: string, data: unknown): void {
    this.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  close(): void {
    clearInterval(this.heartbeat);
    for (const client of this.clients) client.end();
    this.clients.clear();
  }

  private write(text: string): void {
    for (const client of this.clients) {
      // A page that does not read is disconnected; it reconnects and reloads.
      if (client.writableLength > UNREAD_BYTES_MAX) client.destroy();
      else client.write(text);
    }
  }

  private leave(client: ServerResponse): void {
    this.clients.delete(client);
    if (this.isWatched) return;
    clearInterval(this.heartbeat);
    this.heartbeat = undefined;
  }
}
