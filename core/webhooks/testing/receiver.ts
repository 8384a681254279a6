import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface ReceivedWebhook {
  readonly path: string;
  readonly id: string;
  readonly body: string;
  readonly headers: Record<string, string>;
  readonly atMs: number;
}

type Answer = (response: ServerResponse, webhook: ReceivedWebhook) => void;

/** A customer's server for tests: keeps the webhooks it gets and answers as configured. */
export class Receiver {
  readonly received: ReceivedWebhook[] = [];
  private readonly next: Answer[] = [];
  private usual: Answer = status(200);

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Receiver> {
    const server = createServer((request, response) => void receiver.take(request, response));
    const receiver = new Receiver(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Queues answers for the next calls; later calls get the usual answer. */
  answers(...answers: Answer[]): void {
    this.next.push(...answers);
  }

  always(answer: Answer): void {
    this.usual = answer;
  }

  /** Returns the payload; throws when the signature is not valid for the secret. */
  static verify({ body, headers }: ReceivedWebhook, secret: string): unknown {
    return new Webhook(secret).verify(body, headers);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const webhook: ReceivedWebhook = {
      path: request.url ?? '',
      id: headers['webhook-id'] ?? '',
      body: Buffer.concat(chunks).toString('utf8'),
      headers,
      atMs: Date.now(),
    };
    this.received.push(webhook);
    (this.next.shift() ?? this.usual)(response, webhook);
  }
}

export function status(code: number, text = '', headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(code, headers).end(text);
}
