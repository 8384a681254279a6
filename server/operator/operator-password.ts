import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { isSecret } from '#core/platform/config/is-secret.js';
import type { RedisClient } from '#core/platform/queue/redis-client.js';
import { normalAddress } from '#core/rules/network-address.js';
import { createLimiter, secondsOf } from '../http/limiter.js';

const WINDOW_SECONDS = 900;
const WRONG_TRIES_MAX = 10;
const BASIC = /^Basic +([A-Za-z0-9+/=]+) *$/i;

/** Lets in whoever knows the operator's password (HTTP Basic, RFC 7617; any user name), and bounds guessing by address. */
export class OperatorPassword {
  private readonly wrongTries: RateLimiterAbstract;

  constructor(
    private readonly password: string,
    client: RedisClient,
  ) {
    this.wrongTries = createLimiter(client, {
      name: 'operator-password',
      points: WRONG_TRIES_MAX,
      durationSeconds: WINDOW_SECONDS,
    });
  }

  /** A hook before every request: answers those it does not let in. Tries are counted only when a password was given. */
  readonly check = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const address = normalAddress(request.ip);
    const counted = await this.wrongTries.get(address);
    if (counted && counted.consumedPoints >= WRONG_TRIES_MAX)
      return reply
        .status(429)
        .header('Retry-After', String(secondsOf(counted)))
        .type('text/plain; charset=utf-8')
        .send('Too many wrong passwords. Try again later.\n');
    const given = passwordOf(request.headers.authorization);
    if (given !== undefined && isSecret(given, this.password)) return undefined;
    if (given !== undefined) await this.wrongTries.penalty(address);
    return reply
      .status(401)
      .header('WWW-Authenticate', 'Basic realm="Pennytext operator", charset="UTF-8"')
      .type('text/plain; charset=utf-8')
      .send('This is for the operator: any user name, and the password in QUEUE_BOARD_PASSWORD.\n');
  };
}

function passwordOf(authorization: string | undefined): string | undefined {
  const [, encoded] = BASIC.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  return Buffer.from(encoded, 'base64')
    .toString('utf8')
    .replace(/^[^:]*:/, '');
}
