import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { errorText, publicCode, type ErrorCode } from '#contract/errors.js';
import type { FailureAnswer } from '#contract/messages.js';
import { limits } from '#contract/limits.js';
import type { Config } from '#core/platform/config/config.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import type { Logger } from '#core/platform/telemetry/logger.js';
import { answerHeaders } from './request-hooks.js';

/** Of the request line and all headers together. */
const HEAD_BYTES_MAX = 16_384;
const HEADERS_MAX = 100;
/** For the request line and headers; the body may take longer. */
const HEAD_TIMEOUT_MS = 10_000;
const TIMEOUT_CHECK_INTERVAL_MS = 1_000;

/** Connections over the limit that get a 503; connections over these are dropped. */
const REFUSED_CONNECTIONS_MAX = 200;
const REFUSED_CONNECTION_MS = 5_000;
const RETRY_AFTER_SECONDS = 1;
const WARNING_INTERVAL_MS = 10_000;
/** A load balancer must see that a full server is alive. */
const probeRoutes = /^\/(healthz|readyz|metrics)(\?|$)/;

/** Fastify options that bound the bytes and time of an unauthenticated caller. */
export function edgeBounds({ http }: Config) {
  return {
    bodyLimit: limits.apiBodyBytesMax,
    requestTimeout: http.requestMs,
    keepAliveTimeout: http.keepAliveMs,
    // Requests in progress when the server stops are answered, also on kept-alive connections.
    return503OnClosing: false,
    clientErrorHandler: answerClientErrors(answerHeaders(http.publicUrl)),
    http: {
      maxHeaderSize: HEAD_BYTES_MAX,
      headersTimeout: Math.min(HEAD_TIMEOUT_MS, http.requestMs),
      connectionsCheckingInterval: TIMEOUT_CHECK_INTERVAL_MS,
    },
  };
}

/** Routes whose bodies may be larger than the others'. */
const routeBodyBytesMax: ReadonlyMap<string, number> = new Map([
  ['/webhooks/stripe', limits.stripeEventBytesMax],
  ['/api/sendbulk', limits.bulkBodyBytesMax],
  ['/api/quote', limits.bulkBodyBytesMax],
]);

/** Fastify hook that bounds the body of each route. */
export function boundBody(route: RouteOptions): void {
  const bytesMax = routeBodyBytesMax.get(route.url);
  if (bytesMax !== undefined) route.bodyLimit = bytesMax;
}

/** Rejects requests with too many headers. Throws `invalid_request`. */
export function boundHeaders(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  if (request.raw.rawHeaders.length <= 2 * HEADERS_MAX) return done();
  done(new DomainError('invalid_request', `A request may have at most ${HEADERS_MAX} headers.`));
}

function answerClientErrors(headers: Readonly<Record<string, string>>) {
  return (error: Error & { code?: string }, socket: Socket): void => answerClientError(error, socket, headers);
}

/** Answers malformed or slow HTTP in the shape of every other error, and closes the connection. */
function answerClientError(
  error: Error & { code?: string },
  socket: Socket,
  headers: Readonly<Record<string, string>>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // After an earlier answer on this connection, a second one could be taken for another request's.
  if (socket.bytesWritten > 0) {
    socket.end(() => socket.destroy());
    return;
  }
  const { status, detail } = clientFault(error.code);
  const code: ErrorCode = 'invalid_request';
  const answer: FailureAnswer = { success: 'false', error: errorText(code, detail), code: publicCode(code), detail };
  const body = JSON.stringify(answer);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  // Does not wait for a caller that never reads the answer.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

function clientFault(code: string | undefined): { status: number; detail: string } {
  if (code === 'HPE_HEADER_OVERFLOW')
    return { status: 431, detail: `URL and headers are larger than ${HEAD_BYTES_MAX / 1_024} KiB.` };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { status: 408, detail: 'The request did not arrive in time.' };
  return { status: 400, detail: 'This is not a valid HTTP/1.1 request.' };
}

/** Bounds the open connections of the process. A connection over the limit gets 503 for its first request and is closed. */
export class ConnectionLimit {
  private open = 0;
  private warnedAtMs = -Infinity;
  private readonly refused = new WeakSet<Socket>();

  constructor(
    private readonly max: number,
    private readonly logger: Logger,
  ) {}

  watch(server: Server): void {
    server.maxConnections = this.max + REFUSED_CONNECTIONS_MAX;
    server.on('drop', () => this.warn());
    server.on('connection', (socket: Socket) => {
      this.open += 1;
      socket.once('close', () => {
        this.open -= 1;
      });
      if (this.open <= this.max) return;
      this.warn();
      this.refused.add(socket);
      setTimeout(() => socket.destroy(), REFUSED_CONNECTION_MS).unref();
    });
  }

  /** Fastify hook. Throws `unavailable` for a request on a connection over the limit. */
  readonly refuse = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    if (!this.refused.has(request.raw.socket) || probeRoutes.test(request.url)) return done();
    reply.header('Connection', 'close');
    const detail = 'The service has too many open connections. You were not charged. Try again in a second.';
    done(new DomainError('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
  };

  private warn(): void {
    const nowMs = performance.now();
    if (nowMs - this.warnedAtMs < WARNING_INTERVAL_MS) return;
    this.warnedAtMs = nowMs;
    this.logger.warn({ open: this.open, max: this.max }, 'too many connections');
  }
}
