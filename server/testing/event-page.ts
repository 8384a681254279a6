import { request, type IncomingMessage } from 'node:http';
import { dashboardEvents, dashboardEventsPath, type DashboardEventName } from '#contract/dashboard.js';
import { eventually } from '#core/testing/eventually.js';
import type { TestAccount } from '#core/testing/test-accounts.js';
import { signIn } from './browser.js';
import type { TestServer } from './test-server.js';

interface PageEvent {
  readonly name: string;
  readonly data: Record<string, unknown>;
}

/** Client of the dashboard's event stream. The server must listen: `app.listen(0)`. */
export class EventPage {
  readonly events: PageEvent[] = [];
  readonly comments: string[] = [];
  retry: string | undefined;
  isOver = false;
  private unread = '';

  private constructor(private readonly answer: IncomingMessage) {
    answer.setEncoding('utf8');
    answer.on('data', (text: string) => this.take(text));
    // A server that drops the page breaks the connection, which is no fault of the test.
    answer.on('error', () => undefined);
    answer.on('close', () => (this.isOver = true));
  }

  /** Opens a stream with a new session, or with the given headers. */
  static async open(server: TestServer, account: TestAccount, headers?: Record<string, string>): Promise<EventPage> {
    const sent = headers ?? (await signIn(server, account));
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      void server.app
        .getUrl()
        .then((url) =>
          request(`${url}${dashboardEventsPath}`, { headers: sent, agent: false }, resolve).on('error', reject).end(),
        );
    });
    return new EventPage(answer);
  }

  /** Opens a stream and waits for its first event, after which it misses nothing. */
  static async live(server: TestServer, account: TestAccount, headers?: Record<string, string>): Promise<EventPage> {
    const page = await EventPage.open(server, account, headers);
    await page.until('it is live', () => page.count('live') > 0);
    return page;
  }

  get status(): number | undefined {
    return this.answer.statusCode;
  }

  get headers(): IncomingMessage['headers'] {
    return this.answer.headers;
  }

  /** The data of every event of this name, oldest first. */
  data(name: DashboardEventName): Record<string, unknown>[] {
    return this.events.filter((event) => event.name === name).map(({ data }) => data);
  }

  count(name: DashboardEventName): number {
    return this.data(name).length;
  }

  async until(what: string, check: () => boolean, withinMs?: number): Promise<void> {
    await eventually(what, async () => check(), withinMs);
  }

  close(): void {
    this.answer.destroy();
  }

  /** Throws when an event does not match the contract. */
  private take(text: string): void {
    const blocks = (this.unread + text).split('\n\n');
    this.unread = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.startsWith(':')) this.comments.push(block);
      else if (block.startsWith('retry: ')) this.retry = block.slice('retry: '.length);
      else this.events.push(eventOf(block));
    }
  }
}

function eventOf(block: string): PageEvent {
  const [, name = '', json = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
  if (!(name in dashboardEvents)) throw new Error(`Unknown event: ${block}`);
  return { name, data: dashboardEvents[name as DashboardEventName].parse(JSON.parse(json)) };
}
