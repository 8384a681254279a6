import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { dashboardEventsPath, type DashboardEvents } from '#contract/dashboard.js';

/** The live updates of a dashboard that is open. */
export class WatchingPage {
  /** Events of messages, in order. */
  readonly messages: DashboardEvents['message'][] = [];
  /** Number of events that tell the page to read its view, as every change arrives from then on. */
  lives = 0;
  private unread = '';

  private constructor(private readonly answer: IncomingMessage) {
    answer.setEncoding('utf8').on('data', (text: string) => this.read(text));
    // A server that ends or dies ends its pages' streams.
    answer.on('error', () => undefined);
  }

  /** `cookie`: of the signed-in person. */
  static async open(serverUrl: string, cookie: string): Promise<WatchingPage> {
    // A separate connection: fetch would keep one open for the next request, which delays the
    // server's stop.
    const call = request(`${serverUrl}${dashboardEventsPath}`, { headers: { cookie }, agent: false }).end();
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    if (answer.statusCode !== 200) throw new Error(`The page's stream was answered with ${answer.statusCode}`);
    return new WatchingPage(answer);
  }

  /** Ids of the messages in the events. */
  get messageIds(): Set<string> {
    return new Set(this.messages.map(({ message_id }) => message_id));
  }

  close(): void {
    this.answer.destroy();
  }

  private read(text: string): void {
    const blocks = `${this.unread}${text}`.split('\n\n');
    this.unread = blocks.pop() ?? '';
    for (const block of blocks) {
      const name = /^event: ?(.*)$/m.exec(block)?.[1];
      if (name === 'live') this.lives += 1;
      if (name === 'message')
        this.messages.push(JSON.parse(/^data: ?(.*)$/m.exec(block)?.[1] ?? '') as DashboardEvents['message']);
    }
  }
}
