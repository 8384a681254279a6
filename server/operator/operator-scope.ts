import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isSecret } from '#core/platform/crypto/encryption.js';
import { RateLimiter } from '#core/platform/queue/rate-limiter.js';
import type { SharedCounters } from '#core/platform/queue/shared-counters.js';
import { clientNetwork } from '#core/rules/network-addresses.js';
import { boardHeaders } from '../pages/security-headers.js';

const readMethods = ['GET', 'HEAD'];

const WINDOW_SECONDS = 900;
const WRONG_PASSWORDS_MAX = 10;
const BASIC = /^Basic +([A-Za-z0-9+/=]+) *$/i;

/** Registers read-only pages below a path, only for people who know the operator's password. */
export async function serveToOperator(
  fastify: FastifyInstance,
  prefix: string,
  password: OperatorPassword,
  pages: (scope: FastifyInstance) => PromiseLike<unknown> | void,
): Promise<void> {
  await fastify.register(
    async (scope) => {
      scope.addHook('onRequest', password.check);
      scope.addHook('onRequest', async ({ method }, reply) =>
        readMethods.includes(method)
          ? undefined
          : reply
              .status(405)
              .header('Allow', readMethods.join(', '))
              .type('text/plain; charset=utf-8')
              .send('This page is read-only. Use the operator’s commands (docs/commands.md) to change anything.\n'),
      );
      scope.addHook('onSend', async (_request, reply) => {
        reply.headers({ ...boardHeaders(), 'Cache-Control': 'no-store' });
      });
      await pages(scope);
    },
    { prefix },
  );
}

/**
 * Checks the operator's password (HTTP Basic, RFC 7617; any user name) and limits wrong passwords
 * by network address.
 */
export class OperatorPassword {
  private readonly wrongPasswords: RateLimiter;

  constructor(
    private readonly password: string,
    counters: SharedCounters,
  ) {
    this.wrongPasswords = new RateLimiter(counters, {
      name: 'operator-password',
      points: WRONG_PASSWORDS_MAX,
      durationSeconds: WINDOW_SECONDS,
    });
  }

  /**
   * Fastify hook that answers requests without the password. Counts only requests that contain a
   * password.
   */
  readonly check = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const address = clientNetwork(request.ip);
    const usage = await this.wrongPasswords.get(address);
    if (usage?.isOver)
      return reply
        .status(429)
        .header('Retry-After', String(usage.resetSeconds))
        .type('text/plain; charset=utf-8')
        .send('Too many wrong passwords. Try again later.\n');
    const given = passwordOf(request.headers.authorization);
    if (given !== undefined && isSecret(given, this.password)) return undefined;
    if (given !== undefined) await this.wrongPasswords.take(address);
    return reply
      .status(401)
      .header('WWW-Authenticate', 'Basic realm="Pennytext operator", charset="UTF-8"')
      .type('text/plain; charset=utf-8')
      .send('Operators only. Enter any user name and the password from QUEUE_BOARD_PASSWORD.\n');
  };
}

function passwordOf(authorization: string | undefined): string | undefined {
  const [, encoded] = BASIC.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  return Buffer.from(encoded, 'base64')
    .toString('utf8')
    .replace(/^[^:]*:/, '');
}
