import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { validateRequest } from 'twilio';

/** One post that the product got, and whether the SDK takes its signature. */
export interface ReceivedPost {
  readonly path: string;
  readonly fields: Record<string, string>;
  readonly isSigned: boolean;
  readonly body: string;
  readonly stripeSignature: string;
  readonly contentType: string;
}

/** A product that only listens: it checks signatures as the SDK does and answers what it is told to. */
export class ProductStub {
  readonly posts: ReceivedPost[] = [];
  /** The next answers: a status, or a body with 200. Empty with 200 when none is left. */
  answers: (number | { readonly body: string; readonly contentType: string })[] = [];
  url = '';
  private server: Server | undefined;

  async start(authToken: string): Promise<void> {
    this.server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        const path = request.url ?? '';
        const fields = Object.fromEntries(new URLSearchParams(body));
        const signature = String(request.headers['x-twilio-signature']);
        const isSigned = validateRequest(authToken, signature, this.url + path, fields);
        const stripeSignature = String(request.headers['stripe-signature'] ?? '');
        const contentType = String(request.headers['content-type']);
        this.posts.push({ path, fields, isSigned, body, stripeSignature, contentType });
        const answer = this.answers.shift() ?? 200;
        if (typeof answer === 'number') response.writeHead(answer).end();
        else response.writeHead(200, { 'content-type': answer.contentType }).end(answer.body);
      });
    });
    await new Promise<void>((resolve) => this.server?.listen(0, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server?.closeAllConnections();
    await new Promise((resolve) => this.server?.close(resolve));
  }
}
