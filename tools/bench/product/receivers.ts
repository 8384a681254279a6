import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { freePort } from '../../testkit/ports.js';

/** The webhook receivers of customers: /well/… answers at once, /hang/… never. */
export class Receivers {
  /** Texts and times of the replies that arrived. */
  readonly arrivals: { readonly text: string; readonly atMs: number }[] = [];
  private readonly server: Server;

  private constructor(private readonly port: number) {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.url?.startsWith('/hang/')) return;
        const { Message } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { Message: string };
        this.arrivals.push({ text: Message, atMs: Date.now() });
        response.writeHead(200).end();
      });
    });
    this.server.keepAliveTimeout = 60_000;
  }

  static async start(): Promise<Receivers> {
    const receivers = new Receivers(await freePort());
    await once(receivers.server.listen(receivers.port, '127.0.0.1'), 'listening');
    return receivers;
  }

  /** The webhook URL of the n-th account: it answers at once (`well`) or never (`hang`). */
  urlOf(n: number, kind: 'well' | 'hang'): string {
    return `http://127.0.0.1:${this.port}/${kind}/${n}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
