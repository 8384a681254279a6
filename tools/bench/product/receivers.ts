import { ask } from '../../testkit/ask.js';
import { freePort } from '../../testkit/ports.js';
import type { Program } from '../../testkit/program.js';
import type { Children } from '../children.js';

const timeoutMs = 60_000;

/** The webhook receivers of customers, in one process. */
export class Receivers {
  private constructor(
    readonly program: Program,
    private readonly url: string,
  ) {}

  static async start(children: Children): Promise<Receivers> {
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    const spec = { name: 'receivers', file: children.taskFile('receivers'), env: { RECEIVERS_PORT: port } };
    return new Receivers(await children.start(spec, url), url);
  }

  /** The webhook URL of the n-th account: it answers at once (`well`) or never (`hang`). */
  urlOf(n: number, kind: 'well' | 'hang'): string {
    return `${this.url}/${kind}/${n}`;
  }

  async count(): Promise<number> {
    return (await ask<{ count: number }>(`${this.url}/count`, undefined, timeoutMs)).count;
  }

  /** Texts of the replies that arrived, and when. */
  arrivals(): Promise<{ text: string; atMs: number }[]> {
    return ask(`${this.url}/arrivals`, undefined, timeoutMs);
  }
}
