import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | string[] | undefined;
  readonly body: string;
  /** The body as a form. */
  readonly form: Record<string, string>;
}

type Answer = (response: ServerResponse, request: ReceivedRequest) => void;

/** A stand-in for another company's HTTP server, on a free port of this machine. */
export interface LocalServer {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  /** Answer to requests from now on. */
  answer: Answer;
  close(): Promise<void>;
}

export async function startLocalServer(): Promise<LocalServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => {
    void receive(request).then((received) => {
      requests.push(received);
      local.answer(response, received);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const local: LocalServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    answer: (response) => response.writeHead(404).end(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return local;
}

export function json(status: number, body: object, headers: Record<string, string> = {}): Answer {
  return (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function receive(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString('utf8');
  return {
    method: request.method ?? '',
    url: request.url ?? '',
    authorization: request.headers.authorization,
    idempotencyKey: request.headers['idempotency-key'],
    body,
    form: Object.fromEntries(new URLSearchParams(body)),
  };
}
