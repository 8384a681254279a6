import type { Children, Program } from '../processes/children.js';
import { freePorts } from '../../testkit/ports.js';

const timeoutMs = 60_000;

export interface WebhookArrival {
  /** The reply's text, by which the bench knows it. */
  readonly text: string;
  readonly atMs: number;
}

/** Customers' servers, which webhooks go to. */
export class Receivers {
  private constructor(
    private readonly program: Program,
    private readonly url: string,
  ) {}

  static async start(children: Children): Promise<Receivers> {
    const [port = 0] = await freePorts(1);
    const url = `http://127.0.0.1:${port}`;
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, RECEIVERS_PORT: String(port) };
    const program = await children.start({ name: 'receivers', file: 'tools/bench/receivers/main.js', env }, [url]);
    return new Receivers(program, url);
  }

  /** The webhook URL of the n-th account: of one that answers at once, or of one that never does. */
  urlOf(n: number, kind: 'well' | 'hang'): string {
    return `${this.url}/${kind}/${n}`;
  }

  async count(): Promise<number> {
    return ((await this.get('/count')) as { count: number }).count;
  }

  async arrivals(): Promise<WebhookArrival[]> {
    return (await this.get('/arrivals')) as WebhookArrival[];
  }

  stop(): Promise<void> {
    return this.program.stop();
  }

  private async get(path: string): Promise<unknown> {
    const answer = await fetch(`${this.url}${path}`, { signal: AbortSignal.timeout(timeoutMs) });
    if (!answer.ok) throw new Error(`The receivers answered ${answer.status} to ${path}`);
    return answer.json();
  }
}
