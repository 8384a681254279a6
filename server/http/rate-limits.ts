import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { limits } from '#contract/limits.js';
import { signInMessages } from '#contract/sign-in-messages.js';
import type { ApiKey } from '#core/accounts/api-keys.js';
import { ApiKeyUsage } from '#core/accounts/api-key-usage.js';
import { Config } from '#core/platform/config/config.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { RedisClient } from '#core/platform/queue/redis-client.js';
import { clientNetwork } from '#core/rules/network-addresses.js';
import { apiKeyRoutes } from './request-hooks.js';

const API_WINDOW_SECONDS = 1;
const SIGN_IN_WINDOW_SECONDS = 900;
const SIGN_INS_PER_EMAIL = 10;
const WEBHOOK_WINDOW_SECONDS = 60;
const EXPORT_WINDOW_SECONDS = 3_600;

/** The state of one key's window. */
export interface Usage {
  readonly isOver: boolean;
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

/** Fixed-window limiter, shared by all servers through Redis; while Redis is unavailable each server counts on its own. */
export class RateLimiter {
  private readonly limiter: RateLimiterAbstract;
  private readonly points: number;

  constructor(
    client: RedisClient,
    { name, points, durationSeconds }: { name: string; points: number; durationSeconds: number },
  ) {
    const options = { points, duration: durationSeconds, keyPrefix: client.key(`${name}-${points}`) };
    const inMemory = new RateLimiterMemory(options);
    this.points = points;
    this.limiter = client.redis
      ? new RateLimiterRedis({
          ...options,
          storeClient: client.redis,
          insuranceLimiter: inMemory,
          rejectIfRedisNotReady: true,
          // A key far over its limit costs no more round trips in this window.
          inMemoryBlockOnConsumed: points + 1,
        })
      : inMemory;
  }

  /** Counts one use. */
  async take(key: string): Promise<Usage> {
    try {
      return usage(await this.limiter.consume(key), false);
    } catch (result) {
      // The library throws the result when the limit is exceeded; anything else it throws is an error.
      if (result instanceof RateLimiterRes) return usage(result, true);
      throw result;
    }
  }

  /** Reads a window without counting; undefined for an unused key. `isOver` is true when nothing is left. */
  async get(key: string): Promise<Usage | undefined> {
    const result = await this.limiter.get(key);
    return result ? usage(result, result.consumedPoints >= this.points) : undefined;
  }

  async reset(key: string): Promise<void> {
    await this.limiter.delete(key);
  }
}

function usage({ remainingPoints, msBeforeNext }: RateLimiterRes, isOver: boolean): Usage {
  return {
    isOver,
    remaining: Math.max(0, remainingPoints),
    resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
  };
}

const countedElsewhere = new RegExp(`${apiKeyRoutes.source}|^/webhooks/|^/(healthz|readyz|metrics)(\\?|$)`);

/** Limits API requests per second by API key and by network address. A limit of 0 means no limit. */
@Injectable()
export class ApiRateLimits {
  private readonly keyLimiters = new Map<number, RateLimiter>();
  private readonly addressLimiter: RateLimiter | undefined;

  constructor(
    private readonly config: Config,
    private readonly keyUsage: ApiKeyUsage,
    private readonly client: RedisClient,
  ) {
    const { addressPerSecond } = config.rates;
    this.addressLimiter = addressPerSecond > 0 ? this.limiter('rate-address', addressPerSecond) : undefined;
  }

  /** Counts one request. A key and its test form share one limit, the one in the RateLimit headers. Throws `rate_limited`. */
  async take(key: ApiKey, address: string, reply: FastifyReply): Promise<void> {
    const perSecond = this.keyUsage.limitOf(key) ?? this.config.rates.keyPerSecond;
    const [byKey, byAddress] = await Promise.all([
      perSecond > 0 ? this.keyLimiter(perSecond).take(key.hash.toString('base64')) : undefined,
      this.countAddress(address),
    ]);
    if (byKey) {
      reply.header('RateLimit-Limit', String(perSecond));
      reply.header('RateLimit-Remaining', String(byKey.remaining));
      reply.header('RateLimit-Reset', String(byKey.resetSeconds));
    }
    refuseOver([byKey, byAddress]);
  }

  /** Counts one request without an API key. Throws `rate_limited`. */
  async takeAddress(address: string): Promise<void> {
    refuseOver([await this.countAddress(address)]);
  }

  /**
   * Fastify hook for every route that does not count by itself. Calls with an API key are counted after their fields are checked,
   * as the error table has it. Callbacks are not counted: Twilio and Stripe send bursts from few addresses, each call is refused
   * without a valid signature, and a refused receipt or payment would come late. Probes are for the operator's network.
   */
  readonly countRequest = async ({ url, ip }: FastifyRequest): Promise<void> => {
    if (!countedElsewhere.test(url)) await this.takeAddress(ip);
  };

  private async countAddress(address: string): Promise<Usage | undefined> {
    return this.addressLimiter?.take(clientNetwork(address));
  }

  private keyLimiter(perSecond: number): RateLimiter {
    const existing = this.keyLimiters.get(perSecond);
    if (existing) return existing;
    const limiter = this.limiter('rate-key', perSecond);
    this.keyLimiters.set(perSecond, limiter);
    return limiter;
  }

  private limiter(name: string, points: number): RateLimiter {
    return new RateLimiter(this.client, { name, points, durationSeconds: API_WINDOW_SECONDS });
  }
}

function refuseOver(counts: readonly (Usage | undefined)[]): void {
  const exceeded = counts.find((count) => count?.isOver);
  if (exceeded)
    throw new DomainError('rate_limited', 'Too many requests in this second. You were not charged.', {
      retryAfterSeconds: exceeded.resetSeconds,
    });
}

/** Limits sign-ins and sign-ups by network address, and password guesses by e-mail address too. */
@Injectable()
export class SignInLimits {
  private readonly byAddress: RateLimiter | undefined;
  private readonly byEmail: RateLimiter;

  constructor(config: Config, client: RedisClient) {
    const limiter = (name: string, points: number) =>
      new RateLimiter(client, { name, points, durationSeconds: SIGN_IN_WINDOW_SECONDS });
    const { signInsPerAddress } = config.rates;
    this.byAddress = signInsPerAddress > 0 ? limiter('sign-in-address', signInsPerAddress) : undefined;
    this.byEmail = limiter('sign-in-email', SIGN_INS_PER_EMAIL);
  }

  /** Counts an attempt with a password. Throws `too_many_attempts`. */
  async take(address: string, email: string): Promise<void> {
    refuseExceeded(await Promise.all([this.countAddress(address), this.byEmail.take(emailKey(email))]));
  }

  /** Counts a step of a sign-in without a password. Throws `too_many_attempts`. */
  async takeAddress(address: string): Promise<void> {
    refuseExceeded([await this.countAddress(address)]);
  }

  /** Resets the count of an e-mail address after a correct password. */
  async reset(email: string): Promise<void> {
    await this.byEmail.reset(emailKey(email));
  }

  private async countAddress(address: string): Promise<Usage | undefined> {
    return this.byAddress?.take(clientNetwork(address));
  }
}

function refuseExceeded(counts: readonly (Usage | undefined)[]): void {
  const exceeded = counts.find((count) => count?.isOver);
  if (exceeded)
    throw new DomainError('too_many_attempts', signInMessages.tooMany, { retryAfterSeconds: exceeded.resetSeconds });
}

/** A hash, so that Redis holds no e-mail addresses and keys have a fixed length. */
function emailKey(email: string): string {
  return createHash('sha256').update(email.trim().toLowerCase()).digest('base64');
}

/** Limits the costly actions of an account in the dashboard. */
@Injectable()
export class ActionLimits {
  private readonly checkouts: RateLimiter;
  private readonly webhooks: RateLimiter;
  private readonly exports: RateLimiter;

  constructor(client: RedisClient) {
    this.checkouts = new RateLimiter(client, {
      name: 'checkouts',
      points: limits.checkoutsMax,
      durationSeconds: limits.checkoutWindowSeconds,
    });
    this.webhooks = new RateLimiter(client, {
      name: 'webhook-actions',
      points: limits.webhookActionsPerMinuteMax,
      durationSeconds: WEBHOOK_WINDOW_SECONDS,
    });
    this.exports = new RateLimiter(client, {
      name: 'exports',
      points: limits.exportsPerHourMax,
      durationSeconds: EXPORT_WINDOW_SECONDS,
    });
  }

  /** Counts an export of the account's data. Throws `too_many_exports`. */
  async takeExport(accountId: string): Promise<void> {
    const { isOver, resetSeconds: retryAfterSeconds } = await this.exports.take(accountId);
    if (isOver) throw new DomainError('too_many_exports', 'Nothing was exported.', { retryAfterSeconds });
  }

  /** Counts a new checkout. Throws `too_many_checkouts`. */
  async takeCheckout(accountId: string): Promise<void> {
    const { isOver, resetSeconds: retryAfterSeconds } = await this.checkouts.take(accountId);
    if (isOver) throw new DomainError('too_many_checkouts', 'You were not charged.', { retryAfterSeconds });
  }

  /** Counts webhooks sent by hand. Throws `webhook_actions`. */
  async takeWebhookAction(accountId: string): Promise<void> {
    const { isOver, resetSeconds: retryAfterSeconds } = await this.webhooks.take(accountId);
    if (isOver)
      throw new DomainError('webhook_actions', 'You sent too many webhooks by hand. Wait a moment.', {
        retryAfterSeconds,
      });
  }
}
