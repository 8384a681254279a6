import { dashboardEventsPath, type DashboardEvents } from '#contract/dashboard-events.js';

/** The live updates of a dashboard that is open. */
export class WatchingPage {
  private text = '';

  private constructor(private readonly over: AbortController) {}

  /** `cookie`: of whoever is signed in. */
  static async open(serverUrl: string, cookie: string): Promise<WatchingPage> {
    const page = new WatchingPage(new AbortController());
    const { signal } = page.over;
    const { body, status } = await fetch(`${serverUrl}${dashboardEventsPath}`, { headers: { cookie }, signal });
    if (status !== 200 || !body) throw new Error(`The page's stream was answered with ${status}`);
    void page.read(body.pipeThrough(new TextDecoderStream()));
    return page;
  }

  /** How often the page was told to read its view, as every change arrives from then on. */
  get lives(): number {
    return this.eventsOf('live').length;
  }

  /** The ids of the messages that it was told of. */
  get messageIds(): Set<string> {
    return new Set(this.eventsOf('message').map((data) => (JSON.parse(data) as DashboardEvents['message']).message_id));
  }

  close(): void {
    this.over.abort();
  }

  private eventsOf(name: string): string[] {
    return [...this.text.matchAll(new RegExp(`^event: ?${name}\\ndata: ?(.*)$`, 'gm'))].map(([, data = '']) => data);
  }

  private async read(stream: ReadableStream<string>): Promise<void> {
    try {
      for await (const text of stream) this.text += text;
    } catch (error) {
      if (!this.over.signal.aborted) throw error;
    }
  }
}
