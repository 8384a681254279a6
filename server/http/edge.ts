import { STATUS_CODES } from 'node:http';
import { BlockList, isIPv6, type Server, type Socket } from 'node:net';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { errorText, publicCode, type ErrorCode } from '#contract/errors.js';
import type { FailureAnswer } from '#contract/messages.js';
import { limits } from '#contract/limits.js';
import type { Config } from '#core/platform/config/config.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import type { Logger } from '#core/platform/telemetry/logger.js';
import { clientNetwork, normalAddress } from '#core/rules/network-addresses.js';
import { pathFault, queryFault } from './boundary-text.js';
import { answerHeaders, isDataRequest, probeRoutes } from './request-hooks.js';

/** Size of the request line and all headers together. */
const HEAD_BYTES_MAX = 16_384;
const HEADERS_MAX = 100;
/** Time for the request line and headers; the body may take longer. */
const HEAD_TIMEOUT_MS = 10_000;
const TIMEOUT_CHECK_INTERVAL_MS = 1_000;

/** Connections over the limit that get a 503; further connections are dropped. */
const REFUSED_CONNECTIONS_MAX = 200;
const REFUSED_CONNECTION_MS = 5_000;
const RETRY_AFTER_SECONDS = 1;
const WARNING_INTERVAL_MS = 10_000;
/** One client may hold this share of all connections. */
const CONNECTIONS_PER_ADDRESS_SHARE = 1 / 4;

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
  // The reader refuses a body slightly too large, naming the limit of a file.
  ['/api/media', limits.messageMediaBytesMax + 2 * limits.multipartOverheadBytesMax],
]);

/** Fastify hook that bounds the body of each route. */
export function boundBody(route: RouteOptions): void {
  const bytesMax = routeBodyBytesMax.get(route.url);
  if (bytesMax !== undefined) route.bodyLimit = bytesMax;
}

/**
 * Fastify hook: rejects requests with too many headers, or with a path or query that is not text. A
 * page has no fields: its query, such as another site's marks, is ignored, and a path that is not
 * text is no page. Throws `invalid_request`, `not_found`.
 */
export function checkHead(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  if (request.raw.rawHeaders.length > 2 * HEADERS_MAX)
    return done(new DomainError('invalid_request', `A request may have at most ${HEADERS_MAX} headers.`));
  const { url } = request;
  const isPage = !isDataRequest(url);
  const fault = pathFault(url) ?? (isPage ? undefined : queryFault(request.query));
  done(fault && isPage ? new DomainError('not_found', 'There is no such page.') : fault);
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

interface Connection {
  readonly socket: Socket;
  /** Network that counts as one client; undefined for a proxy, which stands for many. */
  readonly network: string | undefined;
  isBusy: boolean;
}

/**
 * Bounds the open connections of the process, and of each address (IPv6: of its /64). A connection
 * over a limit gets 503 for its first request and is closed. When all connections are in use, an
 * idle connection of the client with the most gives way to a client that has fewer.
 */
export class ConnectionLimit {
  private readonly open = new Map<Socket, Connection>();
  private readonly byNetwork = new Map<string, Set<Connection>>();
  private warnedAtMs = -Infinity;
  private readonly refused = new WeakSet<Socket>();
  private readonly perAddressMax: number;

  /**
   * `isProxy` tells whether an address is a proxy of ours, whose connections are other people's.
   */
  constructor(
    private readonly max: number,
    private readonly isProxy: (address: string) => boolean,
    private readonly logger: Logger,
  ) {
    this.perAddressMax = Math.max(1, Math.ceil(max * CONNECTIONS_PER_ADDRESS_SHARE));
  }

  watch(server: Server): void {
    server.maxConnections = this.max + REFUSED_CONNECTIONS_MAX;
    server.on('drop', () => this.warn());
    server.on('connection', (socket: Socket) => this.admit(socket));
  }

  /** Fastify hook. Throws `unavailable` for a request on a connection over the limit. */
  readonly refuse = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    if (this.begin(request.raw.socket) || probeRoutes.test(request.url)) return done();
    reply.header('Connection', 'close');
    const detail = 'The service has too many open connections. You were not charged. Try again in a second.';
    done(new DomainError('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
  };

  /** Fastify hook. */
  readonly release = (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    this.end(request.raw.socket);
    done();
  };

  /** Notes that a connection has a request. Returns false for a connection over a limit. */
  begin(socket: Socket): boolean {
    const connection = this.open.get(socket);
    if (connection) connection.isBusy = true;
    return !this.refused.has(socket);
  }

  /** Notes that a connection is idle. */
  end(socket: Socket): void {
    const connection = this.open.get(socket);
    if (connection) connection.isBusy = false;
  }

  private admit(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const network = this.isProxy(address) ? undefined : clientNetwork(address);
    const connection: Connection = { socket, network, isBusy: false };
    const own = (network !== undefined && this.byNetwork.get(network)) || new Set<Connection>();
    const isOver = own.size >= this.perAddressMax || (this.open.size >= this.max && !this.makeRoom(network, own.size));
    this.open.set(socket, connection);
    own.add(connection);
    if (network !== undefined) this.byNetwork.set(network, own);
    socket.once('close', () => this.forget(connection));
    if (!isOver) return;
    this.warn();
    this.refused.add(socket);
    setTimeout(() => socket.destroy(), REFUSED_CONNECTION_MS).unref();
  }

  private forget(connection: Connection): void {
    const { socket, network } = connection;
    this.open.delete(socket);
    if (network === undefined) return;
    const own = this.byNetwork.get(network);
    own?.delete(connection);
    if (own?.size === 0) this.byNetwork.delete(network);
  }

  /**
   * Closes an idle connection of the client that has the most, if it has more than `fewerThan` and
   * is not the newcomer.
   */
  private makeRoom(newcomer: string | undefined, fewerThan: number): boolean {
    let most: ReadonlySet<Connection> | undefined;
    for (const [network, own] of this.byNetwork)
      if (network !== newcomer && own.size > Math.max(fewerThan + 1, most?.size ?? 0)) most = own;
    for (const connection of most ?? []) {
      if (connection.isBusy || this.refused.has(connection.socket)) continue;
      this.forget(connection);
      connection.socket.destroy();
      return true;
    }
    return false;
  }

  private warn(): void {
    const nowMs = performance.now();
    if (nowMs - this.warnedAtMs < WARNING_INTERVAL_MS) return;
    this.warnedAtMs = nowMs;
    this.logger.warn({ open: this.open.size, max: this.max }, 'too many connections');
  }
}

/**
 * Returns whether the peer at an address is a proxy of the operator's (`TRUST_PROXY`): a listed
 * address, or any address with a number of proxies.
 */
export function proxiesOf(trustProxy: Config['http']['trustProxy']): (address: string) => boolean {
  if (typeof trustProxy === 'number') return () => trustProxy > 0;
  if (typeof trustProxy === 'boolean') return () => trustProxy;
  const list = new BlockList();
  for (const range of trustProxy) {
    const [address = '', prefix] = range.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (peer) => {
    const address = normalAddress(peer);
    return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  };
}
