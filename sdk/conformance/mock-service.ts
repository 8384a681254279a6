import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip } from 'node:zlib';
import { type ConformanceCase, exampleOf, type ScriptedAnswer } from './case.js';

/** A request as it came. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const CHUNK_BYTES = 65_536;

/**
 * Plays the script of a case to a client on this machine and records its requests. A second host
 * listens for a client that follows a redirect, and a third one has a certificate that no one knows.
 */
export class MockService {
  readonly requests: RecordedRequest[] = [];
  /** Requests to hosts that a client must not call. */
  readonly strayRequests: string[] = [];
  sentBytes = 0;
  private readonly servers: Server[] = [];
  private readonly answers: ScriptedAnswer[];
  private addresses: Readonly<Record<string, string>> = {};

  private constructor({ script }: ConformanceCase) {
    this.answers = script.flatMap((answer) => Array.from({ length: answer.times }, () => answer));
  }

  static async open(one: ConformanceCase): Promise<MockService> {
    const mock = new MockService(one);
    const service = await mock.listen(createServer((request, response) => void mock.take(request, response)));
    const stray = (request: IncomingMessage, response: ServerResponse) => {
      mock.strayRequests.push(`${request.method} ${request.url}`);
      response.end('{}');
    };
    const other = await mock.listen(createServer(stray));
    const hasTls = JSON.stringify(one).includes('{{tls}}');
    const tls = hasTls ? await mock.listen(createTlsServer(await selfSigned(), stray)) : 0;
    const closed = await mock.listen(createServer(stray));
    mock.servers.pop()?.close();
    mock.addresses = {
      service: `http://127.0.0.1:${service}`,
      host: `127.0.0.1:${service}`,
      other: `http://127.0.0.1:${other}`,
      tls: `https://127.0.0.1:${tls}`,
      closed: `http://127.0.0.1:${closed}`,
    };
    return mock;
  }

  /** Replaces `{{service}}`, and the names of the other addresses, in all texts. */
  filled<Value>(value: Value): Value {
    const text = JSON.stringify(value).replaceAll(/\{\{(\w+)\}\}/g, (all, name: string) => this.addresses[name] ?? all);
    return JSON.parse(text) as Value;
  }

  close(): void {
    for (const server of this.servers) {
      server.close();
      server.closeAllConnections();
    }
  }

  private async listen(server: Server): Promise<number> {
    this.servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      // The client gave up within its request, which then is none.
      return;
    }
    const url = new URL(request.url ?? '/', 'http://mock');
    this.requests.push({
      method: request.method ?? '',
      path: (request.url ?? '').replace(/\?.*/, ''),
      query: Object.fromEntries(url.searchParams),
      headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      body: Buffer.concat(chunks),
    });
    const over: ScriptedAnswer = { times: 1, status: 400, headers: {}, body: { code: 'script_is_over' } };
    await this.play(this.answers.shift() ?? over, request, response);
  }

  private async play(answer: ScriptedAnswer, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { socket } = request;
    if (answer.delay_ms !== undefined && !(await isStillThere(socket, answer.delay_ms))) return;
    if (answer.raw !== undefined) return void socket.end(answer.raw);
    if (answer.drop === 'before_headers') return void socket.destroy();
    const body = bodyOf(answer);
    response.setHeader('content-type', 'application/json');
    response.setHeader('x-request-id', `req-${this.requests.length}`);
    if (body && answer.status !== 204) response.setHeader('content-length', body.length);
    for (const [name, value] of Object.entries(this.filled(answer.headers))) response.setHeader(name, value);
    response.statusCode = answer.status;
    if (answer.drop === 'after_headers') {
      response.flushHeaders();
      socket.destroySoon();
    } else if (answer.drop === 'mid_body') {
      response.write(body?.subarray(0, Math.floor(body.length / 2)), () => socket.destroySoon());
    } else if (answer.repeated) {
      const isGzip = answer.gzip && String(request.headers['accept-encoding']).includes('gzip');
      if (isGzip) response.setHeader('content-encoding', 'gzip');
      await pipeline(
        this.repeat(answer.repeated),
        isGzip ? createGzip({ level: 1 }) : new PassThrough(),
        response,
      ).catch(() => undefined);
    } else if (answer.pace_ms !== undefined) {
      for (const byte of body ?? []) {
        response.write(Buffer.of(byte));
        if (!(await isStillThere(socket, answer.pace_ms))) return;
      }
      response.end();
    } else {
      response.end(body);
    }
  }

  private *repeat({ text, bytes }: { text: string; bytes: number }): Generator<Buffer> {
    const chunk = Buffer.from(text.repeat(Math.ceil(CHUNK_BYTES / text.length))).subarray(0, CHUNK_BYTES);
    for (let left = bytes; left > 0; left -= chunk.length) {
      this.sentBytes += Math.min(left, chunk.length);
      yield chunk.subarray(0, left);
    }
  }
}

function bodyOf({ body, example, text, repeated }: ScriptedAnswer): Buffer | undefined {
  if (repeated) return undefined;
  if (text !== undefined) return Buffer.from(text);
  const value = example === undefined ? body : exampleOf(example);
  return Buffer.from(value === undefined ? '' : JSON.stringify(value));
}

/** Waits unless the client leaves earlier. */
async function isStillThere(socket: IncomingMessage['socket'], ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const left = () => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      socket.off('close', left);
      resolve(true);
    }, ms);
    socket.once('close', left);
  });
}

/** A certificate of two days that no authority has signed. Throws without openssl. */
async function selfSigned(): Promise<{ key: string; cert: string }> {
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const { stdout: both } = await promisify(execFile)(
    'openssl',
    ['req', '-x509', ...kind, ...names, '-keyout', '-', '-out', '-'],
    { encoding: 'utf8' },
  );
  return { key: both, cert: both };
}
