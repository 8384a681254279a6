import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface ReceivedCall {
  /** The `webhook-id`. */
  readonly id: string;
  readonly body: string;
  readonly headers: Record<string, string>;
  readonly status: number;
}

/** A customer's server. The first calls of each webhook fail, and later calls are taken. */
export class WebhookReceiver {
  readonly calls: ReceivedCall[] = [];

  private constructor(private readonly server: Server) {}

  static async start({
    failures,
    answerAfterMs,
  }: {
    failures: number;
    answerAfterMs: number;
  }): Promise<WebhookReceiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        );
        const id = headers['webhook-id'] ?? '';
        const status = receiver.callsOf(id).length < failures ? 500 : 200;
        receiver.calls.push({ id, body: Buffer.concat(chunks).toString('utf8'), headers, status });
        setTimeout(() => response.writeHead(status).end(), answerAfterMs);
      });
    });
    const receiver = new WebhookReceiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  get ids(): string[] {
    return [...new Set(this.calls.map(({ id }) => id))];
  }

  callsOf(id: string): ReceivedCall[] {
    return this.calls.filter((call) => call.id === id);
  }

  /** Throws when a call is not signed with this secret. */
  verifyAll(secret: string): void {
    for (const { body, headers } of this.calls) new Webhook(secret).verify(body, headers);
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}
