import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorText, publicCode, type ErrorCode } from '#contract/errors.js';
import { limits } from '#contract/limits.js';
import type { FailureAnswer } from '#contract/failure.js';
import type { Config } from '#core/platform/config/config.js';
import { DomainError } from '#core/platform/errors/domain-error.js';

/** Of the first line and all headers together: the length of an address is bounded by it, too. */
const HEAD_BYTES_MAX = 16_384;
const HEADERS_MAX = 100;
/** Whoever has connected to say something says it within this time; the body may take longer. */
const HEAD_WITHIN_MS = 10_000;
const SLOW_CALLERS_LOOKED_FOR_EVERY_MS = 1_000;

/** What a caller may take of the server before anybody knows who it is: bytes and time. As Fastify takes it. */
export function edgeBounds({ http }: Config) {
  return {
    bodyLimit: limits.apiBodyBytesMax,
    requestTimeout: http.requestMs,
    keepAliveTimeout: http.keepAliveMs,
    // What is under way when the server stops is answered, and on a connection that was kept, too.
    return503OnClosing: false,
    clientErrorHandler: refuseConnection,
    http: {
      maxHeaderSize: HEAD_BYTES_MAX,
      headersTimeout: Math.min(HEAD_WITHIN_MS, http.requestMs),
      connectionsCheckingInterval: SLOW_CALLERS_LOOKED_FOR_EVERY_MS,
    },
  };
}

/** Refuses requests with more headers than any of our callers has. Throws `invalid_request`. */
export function boundHeaders(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  if (request.raw.rawHeaders.length <= 2 * HEADERS_MAX) return done();
  done(new DomainError('invalid_request', `A request has at most ${HEADERS_MAX} headers.`));
}

/** Answers what is no request of HTTP at all, or comes too slowly, in the shape of every other refusal, and hangs up. */
function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  // What has been answered on this connection stands; a second answer would be taken for another request's.
  if (socket.bytesWritten > 0) {
    socket.end(() => socket.destroy());
    return;
  }
  const { status, detail } = faultOf(error.code);
  const code: ErrorCode = 'invalid_request';
  const answer: FailureAnswer = { success: 'false', error: errorText(code, detail), code: publicCode(code), detail };
  const body = JSON.stringify(answer);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  // Whoever does not read it is not waited for.
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

function faultOf(code: string | undefined): { status: number; detail: string } {
  if (code === 'HPE_HEADER_OVERFLOW')
    return { status: 431, detail: `Address and headers are larger than ${HEAD_BYTES_MAX / 1_024} KiB.` };
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return { status: 408, detail: 'The request did not arrive in time.' };
  return { status: 400, detail: 'This is not a request of HTTP/1.1.' };
}
