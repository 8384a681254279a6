import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers of a customer's server to the first call of each webhook; it accepts later calls. */
export const receiverKinds = ['well', 'fails', 'hangs', 'drops', 'slow'] as const;
export type ReceiverKind = (typeof receiverKinds)[number];

export interface ReceivedCall {
  readonly account: number;
  readonly webhookId: string;
  /** A reply's text, or `<message id> <status>`. */
  readonly text: string;
  readonly isTaken: boolean;
}

const slowMs = 1_500;
const bodyBytesMax = 65_536;

/** The customers' servers, in this process. */
export class Receivers {
  readonly calls: ReceivedCall[] = [];
  private readonly seen = new Set<string>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Receivers> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= bodyBytesMax) chunks.push(chunk);
      });
      request.on('end', () => {
        const [, kind = '', account = ''] = (request.url ?? '').split('/');
        const id = String(request.headers['webhook-id']);
        receivers.take(kind as ReceiverKind, Number(account), id, Buffer.concat(chunks).toString('utf8'), response);
      });
    });
    const receivers = new Receivers(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receivers;
  }

  urlOf(account: number, kind: ReceiverKind): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${kind}/${account}`;
  }

  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private take(kind: ReceiverKind, account: number, webhookId: string, body: string, response: ServerResponse): void {
    const isFirst = !this.seen.has(webhookId);
    this.seen.add(webhookId);
    const isTaken = !isFirst || kind === 'well' || kind === 'slow';
    this.calls.push({ account, webhookId, text: textOf(body), isTaken });
    if (!isTaken && kind === 'hangs') return;
    if (!isTaken && kind === 'drops') response.destroy();
    else if (!isTaken) response.writeHead(500).end('not now');
    else setTimeout(() => response.writeHead(204).end(), kind === 'slow' ? slowMs : 0);
  }
}

function textOf(body: string): string {
  const event = JSON.parse(body) as { Message?: string; data?: { message_id: string; status?: string } };
  return event.Message ?? `${event.data?.message_id} ${event.data?.status ?? 'verified'}`;
}
