import { request, type IncomingMessage } from 'node:http';
import { eventually } from '#core/testing/eventually.js';
import type { TestServer } from './test-server.js';

/** Fields of a block, the last of each name. */
type EventBlock = Readonly<Record<string, string>>;

/** Client of GET /api/events. The server must listen: `app.listen(0)`. */
export class EventListener {
  readonly blocks: EventBlock[] = [];
  readonly comments: string[] = [];
  isOver = false;
  private unread = '';

  private constructor(private readonly answer: IncomingMessage) {
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => this.take(text));
    // A server that drops the connection is no fault of the test.
    answer.on('error', () => undefined);
    answer.on('close', () => (this.isOver = true));
  }

  static async open(server: TestServer, apikey: string, lastEventId?: string): Promise<EventListener> {
    const url = `${await server.app.getUrl()}/api/events`;
    const headers = { authorization: `Bearer ${apikey}`, ...(lastEventId && { 'last-event-id': lastEventId }) };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { headers, agent: false }, resolve).on('error', reject).end();
    });
    return new EventListener(answer);
  }

  /** Opens a stream and waits until it misses nothing. */
  static async ready(server: TestServer, apikey: string, lastEventId?: string): Promise<EventListener> {
    const listener = await EventListener.open(server, apikey, lastEventId);
    if (listener.status !== 200) throw new Error(`The stream was answered with ${listener.status}`);
    await listener.until('it is ready', () => listener.comments.includes(': ready'));
    return listener;
  }

  get status(): number | undefined {
    return this.answer.statusCode;
  }

  get headers(): IncomingMessage['headers'] {
    return this.answer.headers;
  }

  /** Every event with a signature, oldest first. */
  get events(): EventBlock[] {
    return this.blocks.filter((block) => 'webhook-id' in block);
  }

  get cursor(): string {
    return this.blocks.findLast(({ id }) => id !== undefined)?.id ?? '';
  }

  named(name: string): EventBlock[] {
    return this.blocks.filter(({ event }) => event === name);
  }

  async until(what: string, check: () => boolean, withinMs = 20_000): Promise<void> {
    await eventually(what, async () => check(), withinMs);
  }

  close(): void {
    this.answer.destroy();
  }

  private take(text: string): void {
    const blocks = (this.unread + text).split('\n\n');
    this.unread = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.startsWith(':')) this.comments.push(block);
      else this.blocks.push(Object.fromEntries(block.split('\n').map(fieldOf)));
    }
  }
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(': ');
  return [line.slice(0, colon), line.slice(colon + 2)];
}
