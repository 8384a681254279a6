import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Message } from '../twilio/message.js';
import type { MessageWatcher } from '../twilio/message-store.js';
import { viewOf } from './phone-view.js';

const CLIENTS_MAX = 32;
const BATCH_EVERY_MS = 100;
/** More changes than this in one batch are not told one by one: the page reads its view again. */
const CHANGES_PER_BATCH_MAX = 200;
const HEARTBEAT_EVERY_MS = 15_000;
const UNREAD_BYTES_MAX = 1_048_576;

/**
 * Tells open phone pages what changes, as server-sent events in batches. Costs nothing while no page is open. What a
 * page missed while it was away is not repeated: on `hello` it reads its view again.
 */
export class LiveFeed implements MessageWatcher {
  // Tells a page that the sandbox was started anew, and that what it shows may be gone.
  private readonly boot = randomUUID();
  private readonly clients = new Set<ServerResponse>();
  private readonly changes = new Set<Message>();
  private overflowed = false;
  private batch: NodeJS.Timeout | undefined;
  private heartbeat: NodeJS.Timeout | undefined;

  /** Takes a page in; false if there are too many already. */
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
    this.heartbeat ??= setInterval(() => this.send(': still here\n\n'), HEARTBEAT_EVERY_MS);
    return true;
  }

  added(message: Message): void {
    this.note(message);
  }

  changed(message: Message): void {
    this.note(message);
  }

  cleared(): void {
    this.changes.clear();
    this.overflowed = false;
    this.send('event: cleared\ndata: {}\n\n');
  }

  close(): void {
    clearTimeout(this.batch);
    clearInterval(this.heartbeat);
    for (const client of this.clients) client.end();
    this.clients.clear();
  }

  private note(message: Message): void {
    if (this.clients.size === 0) return;
    if (this.changes.size < CHANGES_PER_BATCH_MAX) this.changes.add(message);
    else if (!this.changes.has(message)) this.overflowed = true;
    this.batch ??= setTimeout(() => this.flush(), BATCH_EVERY_MS);
  }

  private flush(): void {
    this.batch = undefined;
    const event = this.overflowed
      ? 'event: many\ndata: {}\n\n'
      : `event: changes\ndata: ${JSON.stringify([...this.changes].map(viewOf))}\n\n`;
    this.changes.clear();
    this.overflowed = false;
    this.send(event);
  }

  private send(event: string): void {
    for (const client of this.clients) {
      // A page that does not read is dropped; it connects again and catches up.
      if (client.writableLength > UNREAD_BYTES_MAX) client.destroy();
      else client.write(event);
    }
  }

  private leave(client: ServerResponse): void {
    this.clients.delete(client);
    if (this.clients.size > 0) return;
    clearInterval(this.heartbeat);
    this.heartbeat = undefined;
    this.changes.clear();
  }
}
