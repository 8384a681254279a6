import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError } from '#core/platform/errors/domain-error.js';
import type { Logger } from '#core/platform/telemetry/logger.js';

/** Connections that are let in beyond the limit to be told so; those beyond them are cut. */
const REFUSED_AT_ONCE_MAX = 200;
/** A refused connection that asks for nothing is closed. */
const REFUSED_FOR_MS = 5_000;
const RETRY_AFTER_SECONDS = 1;
const TOLD_EVERY_MS = 10_000;

/** A balancer must hear of a full server that it lives. */
const health = /^\/(healthz|readyz|metrics)(\?|$)/;

/** Bounds the open connections of the process. Who comes too late hears 503 on the first request, and the connection ends. */
export class ConnectionLimit {
  private open = 0;
  private toldAtMs = -Infinity;
  private readonly refused = new WeakSet<Socket>();

  constructor(
    private readonly max: number,
    private readonly logger: Logger,
  ) {}

  watch(server: Server): void {
    server.maxConnections = this.max + REFUSED_AT_ONCE_MAX;
    server.on('drop', () => this.tell());
    server.on('connection', (socket: Socket) => {
      this.open += 1;
      socket.once('close', () => {
        this.open -= 1;
      });
      if (this.open <= this.max) return;
      this.tell();
      this.refused.add(socket);
      setTimeout(() => socket.destroy(), REFUSED_FOR_MS).unref();
    });
  }

  /** A hook of Fastify. Throws `unavailable` for requests on a connection beyond the limit. */
  readonly refuse = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    if (!this.refused.has(request.raw.socket) || health.test(request.url)) return done();
    reply.header('Connection', 'close');
    const detail = 'The service has too many connections. You were not charged; try again in a second.';
    done(new DomainError('unavailable', detail, { retryAfterSeconds: RETRY_AFTER_SECONDS }));
  };

  private tell(): void {
    const nowMs = performance.now();
    if (nowMs - this.toldAtMs < TOLD_EVERY_MS) return;
    this.toldAtMs = nowMs;
    this.logger.warn({ open: this.open, max: this.max }, 'too many connections');
  }
}
