import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

const CLIENTS_MAX = 32;
const HEARTBEAT_EVERY_MS = 15_000;
const UNREAD_BYTES_MAX = 1_048_576;

/**
 * Server-sent events for open pages. Missed events are not repeated: on `hello` a page reads
 * everything again.
 */
export class EventStream {
  private readonly clients = new Set<ServerResponse>();
  private heartbeat: NodeJS.Timeout | undefined;

  get isWatched(): boolean {
    return this.clients.size > 0;
  }

  /** Serves the stream at `events`; answers 503 when the limit of pages is reached. */
  register(app: FastifyInstance): void {
    app.get('/events', (_request, reply) => {
      if (this.clients.size >= CLIENTS_MAX)
        return reply.code(503).send({ error: 'Too many pages are open. Close one.' });
      this.join(reply.raw);
      return reply.hijack();
    });
  }

  send(event: string, data: unknown): void {
    this.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  close(): void {
    clearInterval(this.heartbeat);
    for (const client of this.clients) client.end();
    this.clients.clear();
  }

  private join(client: ServerResponse): void {
    this.clients.add(client);
    client.on('close', () => {
      this.clients.delete(client);
      if (this.isWatched) return;
      clearInterval(this.heartbeat);
      this.heartbeat = undefined;
    });
    client.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    client.write('retry: 1000\nevent: hello\ndata: {}\n\n');
    this.heartbeat ??= setInterval(() => this.write(': still here\n\n'), HEARTBEAT_EVERY_MS);
  }

  private write(text: string): void {
    for (const client of this.clients) {
      // A page that does not read is disconnected; it reconnects and reads again.
      if (client.writableLength > UNREAD_BYTES_MAX) client.destroy();
      else client.write(text);
    }
  }
}
