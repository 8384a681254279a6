import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { limits } from '#contract/limits.js';
import { signInMessages } from '#contract/sign-in.js';
import type { ApiKey } from '#core/accounts/api-keys.js';
import { Shards } from '#core/platform/database/shards.js';
import { ApiKeyUsage } from '#core/accounts/api-key-usage.js';
import { Config } from '#core/platform/config/config.js';
import { GroupCommit } from '#core/platform/database/group-commit.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { RedisClient, scriptOf } from '#core/platform/queue/redis-client.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { clientNetwork } from '#core/rules/network-addresses.js';
import { apiKeyRoutes, compatibleRoutes } from './request-hooks.js';

const API_WINDOW_MS = 1_000;
const API_BATCH_MAX = 500;
const API_BATCHES_IN_FLIGHT_MAX = 10;
const API_WAITING_MAX = 10_000;
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

type WindowState = Pick<RateLimiterRes, 'remainingPoints' | 'msBeforeNext'>;

function usage({ remainingPoints, msBeforeNext }: WindowState, isOver: boolean): Usage {
  return {
    isOver,
    remaining: Math.max(0, remainingPoints),
    resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
  };
}

/** A number of uses per second. The name stands for who is limited. */
interface ApiLimit {
  readonly name: string;
  readonly perSecond: number;
}

/** Counts uses; returns uses and remaining milliseconds of each key's window. Arguments: length of a window in ms, then one number per key. */
const WINDOW_SCRIPT = scriptOf(`
local counts = {}
for i, key in ipairs(KEYS) do
  local uses = redis.call('INCRBY', key, ARGV[i + 1])
  local left = redis.call('PTTL', key)
  if left < 0 then
    redis.call('PEXPIRE', key, ARGV[1])
    left = ARGV[1]
  end
  counts[2 * i - 1] = uses
  counts[2 * i] = tonumber(left)
end
return counts`);

/**
 * Counts API requests in fixed windows, which all servers share through Redis; while Redis is unavailable each server counts on
 * its own. Requests of one turn of the event loop share one command.
 */
class ApiWindows {
  private readonly local = new RateLimiterMemory({ points: Number.MAX_SAFE_INTEGER, duration: API_WINDOW_MS / 1_000 });
  private readonly group = new GroupCommit<readonly ApiLimit[], Usage[]>({
    batchMax: API_BATCH_MAX,
    inFlightMax: API_BATCHES_IN_FLIGHT_MAX,
    waitingMax: API_WAITING_MAX,
    run: (batch) => this.takeAll(batch),
    onFull: () => new Error('Too many requests wait for Redis'),
    isAcrossGroups: true,
  });

  constructor(
    private readonly client: RedisClient,
    private readonly logger: Logger,
  ) {}

  /** Counts one use of each limit. */
  async take(given: readonly ApiLimit[]): Promise<Usage[]> {
    if (given.length === 0) return [];
    try {
      return await this.group.submit(given);
    } catch (err) {
      // RedisClient warns of its disconnection, once.
      this.logger.debug({ err }, 'API requests counted in this process');
      return Promise.all(given.map((limit) => this.takeHere(limit)));
    }
  }

  private async takeAll(batch: readonly (readonly ApiLimit[])[]): Promise<Usage[][]> {
    const added = new Map<string, number>();
    for (const { name } of batch.flat()) added.set(name, (added.get(name) ?? 0) + 1);
    const names = [...added.keys()];
    const keys = names.map((name) => this.client.key(name));
    const counts = await this.client.count(WINDOW_SCRIPT, keys, [API_WINDOW_MS, ...added.values()]);
    if (!counts) throw new Error('There is no Redis');
    const windows = new Map(
      names.map((name, n) => {
        const [uses = 0, leftMs = 0] = counts.slice(2 * n);
        return [name, { uses: uses - (added.get(name) ?? 0), leftMs }];
      }),
    );
    return batch.map((given) =>
      given.map(({ name, perSecond }) => {
        const window = windows.get(name) ?? { uses: 0, leftMs: 0 };
        window.uses += 1;
        return usage(
          { remainingPoints: perSecond - window.uses, msBeforeNext: window.leftMs },
          window.uses > perSecond,
        );
      }),
    );
  }

  private async takeHere({ name, perSecond }: ApiLimit): Promise<Usage> {
    const { consumedPoints, msBeforeNext } = await this.local.consume(name);
    return usage({ remainingPoints: perSecond - consumedPoints, msBeforeNext }, consumedPoints > perSecond);
  }
}

const countedElsewhere = new RegExp(
  `${apiKeyRoutes.source}|${compatibleRoutes.source}|^/webhooks/|^/(healthz|readyz|metrics)(\\?|$)`,
);

/** Limits API requests per second by API key and by network address. A limit of 0 means no limit. */
@Injectable()
export class ApiRateLimits {
  private readonly windows: ApiWindows;

  constructor(
    private readonly config: Config,
    private readonly keyUsage: ApiKeyUsage,
    private readonly shards: Shards,
    client: RedisClient,
    logger: Logger,
  ) {
    this.windows = new ApiWindows(client, logger);
  }

  /**
   * Counts one request, and admits it to the shards of the key's account. A key and its test form share one limit, the one in the
   * RateLimit headers. Throws `rate_limited`.
   */
  async take(key: ApiKey, address: string, reply: FastifyReply): Promise<void> {
    await this.count(key, address, reply);
    await this.shards.enterKey('key', key.hash.toString('hex'));
  }

  private async count(key: ApiKey, address: string, reply: FastifyReply): Promise<void> {
    const perSecond = this.keyUsage.limitOf(key) ?? this.config.rates.keyPerSecond;
    if (perSecond === 0) return this.takeAddress(address);
    const byKey = { name: `rate-key-${perSecond}:${key.hash.toString('base64')}`, perSecond };
    const usages = await this.windows.take([byKey, ...this.limitsOfAddress(address)]);
    const [ofKey] = usages;
    reply.header('RateLimit-Limit', String(perSecond));
    reply.header('RateLimit-Remaining', String(ofKey?.remaining ?? 0));
    reply.header('RateLimit-Reset', String(ofKey?.resetSeconds ?? 1));
    refuseOver(usages);
  }

  /** Counts one request without an API key. Throws `rate_limited`. */
  async takeAddress(address: string): Promise<void> {
    refuseOver(await this.windows.take(this.limitsOfAddress(address)));
  }

  /**
   * Fastify hook for every route that does not count by itself. Calls with an API key are counted after their fields are checked,
   * in the order of the error table. Callbacks are not counted: Twilio and Stripe send bursts from few addresses, every call needs
   * a valid signature, and a rejected receipt or payment would arrive late. Health checks are not counted either.
   */
  readonly countRequest = async (request: FastifyRequest): Promise<void> => {
    if (!countedElsewhere.test(request.url)) await this.takeAddress(request.ip);
  };

  private limitsOfAddress(address: string): ApiLimit[] {
    const { addressPerSecond: perSecond } = this.config.rates;
    return perSecond > 0 ? [{ name: `rate-address-${perSecond}:${clientNetwork(address)}`, perSecond }] : [];
  }
}

function refuseOver(usages: readonly Usage[]): void {
  const exceeded = usages.find(({ isOver }) => isOver);
  if (exceeded)
    throw new DomainError('rate_limited', 'Too many requests in this second. You were not charged.', {
      retryAfterSeconds: exceeded.resetSeconds,
    });
}

/** Limits sign-ins and sign-ups by network address, and password guesses by email address too. */
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

  /** Resets the count of an email address after a correct password. */
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

/** A hash, so that Redis holds no email addresses and keys have a fixed length. */
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
