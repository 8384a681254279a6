import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { limits } from '#contract/limits.js';
import { signInMessages, withTime } from '#contract/sign-in.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { ApiKeyUsage } from '#core/keys/api-key-usage.js';
import { Config } from '#core/platform/config/config.js';
import { GroupCommit } from '#core/platform/database/group-commit.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { RateLimiter, type Usage, usage } from '#core/platform/queue/rate-limiter.js';
import { scriptOf, SharedCounters } from '#core/platform/queue/shared-counters.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { clientNetwork } from '#core/rules/network-addresses.js';
import { probeRoutes } from './request-hooks.js';
import type { ApiKey } from '#core/keys/api-key.js';

const API_WINDOW_MS = 1_000;
const API_BATCH_MAX = 500;
const API_BATCHES_IN_FLIGHT_MAX = 10;
const API_WAITING_MAX = 10_000;
const SIGN_IN_WINDOW_SECONDS = 900;
const SIGN_INS_PER_EMAIL = 10;
const WEBHOOK_WINDOW_SECONDS = 60;
const EXPORT_WINDOW_SECONDS = 3_600;
const INVOICE_FILE_WINDOW_SECONDS = 60;

/** A number of uses per second. The name identifies the limited client. */
interface ApiLimit {
  readonly name: string;
  readonly perSecond: number;
}

/**
 * Counts uses; returns uses and remaining milliseconds of each key's window. Arguments: length of a
 * window in ms, then one number per key.
 */
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
 * Counts API requests in fixed windows, which all servers share through Redis; while Redis is
 * unavailable each server counts on its own. Requests of one turn of the event loop share one
 * command.
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
    private readonly counters: SharedCounters,
    private readonly logger: Logger,
  ) {}

  /** Counts one use of each limit. */
  async take(given: readonly ApiLimit[]): Promise<Usage[]> {
    if (given.length === 0) return [];
    try {
      return await this.group.submit(given);
    } catch (err) {
      // Redis is unavailable, of which its client warns once, or not in use.
      this.logger.debug({ err }, 'API requests counted in this process');
      return Promise.all(given.map((limit) => this.takeHere(limit)));
    }
  }

  private async takeAll(batch: readonly (readonly ApiLimit[])[]): Promise<Usage[][]> {
    const added = new Map<string, number>();
    for (const { name } of batch.flat()) added.set(name, (added.get(name) ?? 0) + 1);
    const names = [...added.keys()];
    const keys = names.map((name) => this.counters.key(name));
    const counts = await this.counters.count(WINDOW_SCRIPT, keys, [API_WINDOW_MS, ...added.values()]);
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

/** Addresses that are remembered as over their limit. */
const EXCEEDED_ADDRESSES_MAX = 10_000;

/** Limits requests per second by network address, and by API key. A limit of 0 means no limit. */
@Injectable()
export class ApiRateLimits {
  private readonly windows: ApiWindows;
  /** End of the window of each network over its limit. */
  private readonly exceededUntilMs = new Map<string, number>();

  constructor(
    private readonly config: Config,
    private readonly keyUsage: ApiKeyUsage,
    private readonly postgres: Postgres,
    counters: SharedCounters,
    logger: Logger,
  ) {
    this.windows = new ApiWindows(counters, logger);
  }

  /**
   * Counts one request of a key, and admits it to the rows of the key's account. A key and its
   * test form share one limit, the one in the RateLimit headers. Throws `rate_limited`.
   */
  async takeKey(key: ApiKey, reply: FastifyReply): Promise<void> {
    await this.countKey(key, reply);
    await this.postgres.enterKey(key.hash);
  }

  private async countKey(key: ApiKey, reply: FastifyReply): Promise<void> {
    const perSecond = this.keyUsage.limitOf(key) ?? this.config.rates.keyPerSecond;
    if (perSecond === 0) return;
    const byKey = { name: `rate-key-${perSecond}:${key.hash.toString('base64')}`, perSecond };
    const usages = await this.windows.take([byKey]);
    const [ofKey] = usages;
    reply.header('RateLimit-Limit', String(perSecond));
    reply.header('RateLimit-Remaining', String(ofKey?.remaining ?? 0));
    reply.header('RateLimit-Reset', String(ofKey?.resetSeconds ?? 1));
    refuseOver(usages);
  }

  /**
   * Fastify hook: counts every request by its address, before its body is read. Health checks have
   * a window of their own, so that a balancer that passes on traffic is not refused its checks. A
   * signed callback of Twilio, Telnyx or Stripe is counted only when its signature turns out to be
   * wrong ({@link takeAddress}): they send bursts from few addresses, and a receipt that is refused
   * arrives late. Throws `rate_limited`.
   */
  readonly countRequest = (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    const { url, ip } = request;
    if (isSigned(request)) return done(this.refusalOf(ip));
    void endHook(() => this.takeAddress(ip, probeRoutes.test(url) ? 'rate-probe' : 'rate-address'), done);
  };

  /**
   * Fastify hook: counts a signed callback that was refused for another reason than its signature,
   * after its answer.
   */
  readonly countRefused = (
    request: FastifyRequest,
    { statusCode }: FastifyReply,
    done: (error?: Error) => void,
  ): void => {
    if (!refusedBefore.has(statusCode) || !isSigned(request)) return done();
    // An address that is over its limit has its next request refused.
    void endHook(
      () => this.takeAddress(request.ip),
      (error) => done(error instanceof DomainError ? undefined : error),
    );
  };

  /** Counts one request of an address. Throws `rate_limited`. */
  async takeAddress(address: string, name: 'rate-address' | 'rate-probe' = 'rate-address'): Promise<void> {
    const { addressPerSecond: perSecond } = this.config.rates;
    if (perSecond === 0) return;
    const network = clientNetwork(address);
    const usages = await this.windows.take([{ name: `${name}-${perSecond}:${network}`, perSecond }]);
    for (const { isOver, resetSeconds } of usages) if (isOver) this.noteExceeded(network, resetSeconds);
    refuseOver(usages);
  }

  private noteExceeded(network: string, resetSeconds: number): void {
    if (this.exceededUntilMs.size >= EXCEEDED_ADDRESSES_MAX) this.exceededUntilMs.clear();
    this.exceededUntilMs.set(network, performance.now() + resetSeconds * 1_000);
  }

  /** Returns why a signed request of an address is refused unseen; undefined when it is not. */
  private refusalOf(address: string): DomainError | undefined {
    if (this.exceededUntilMs.size === 0) return undefined;
    const network = clientNetwork(address);
    const leftMs = (this.exceededUntilMs.get(network) ?? 0) - performance.now();
    if (leftMs > 0) return overLimit(Math.ceil(leftMs / 1_000));
    this.exceededUntilMs.delete(network);
    return undefined;
  }
}

/** Answers to a request whose signature was not looked at. */
const refusedBefore: ReadonlySet<number> = new Set([400, 404, 405, 408, 413, 415]);

const signatureHeaders: ReadonlyMap<string, string> = new Map([
  ['/webhooks/twilio/inbound', 'x-twilio-signature'],
  ['/webhooks/twilio/status', 'x-twilio-signature'],
  ['/webhooks/whatsapp/status', 'x-twilio-signature'],
  ['/webhooks/voice/status', 'x-twilio-signature'],
  ['/webhooks/telnyx/inbound', 'telnyx-signature-ed25519'],
  ['/webhooks/telnyx/status', 'telnyx-signature-ed25519'],
  ['/webhooks/stripe', 'stripe-signature'],
]);

/**
 * Returns whether a provider's callback carries a signature, which only reading its body can
 * verify.
 */
function isSigned({ method, routeOptions, headers }: FastifyRequest): boolean {
  const name = method === 'POST' ? signatureHeaders.get(routeOptions.url ?? '') : undefined;
  return name !== undefined && headers[name] !== undefined;
}

/** Ends a hook after its work. Most requests have none, and wait for no promise. */
async function endHook(work: () => Promise<void>, done: (error?: Error) => void): Promise<void> {
  let fault: Error | undefined;
  try {
    await work();
  } catch (error) {
    fault = error instanceof Error ? error : new Error('A request cannot be counted', { cause: error });
  }
  done(fault);
}

function refuseOver(usages: readonly Usage[]): void {
  const exceeded = usages.find(({ isOver }) => isOver);
  if (exceeded) throw overLimit(exceeded.resetSeconds);
}

function overLimit(retryAfterSeconds: number): DomainError {
  return new DomainError('rate_limited', 'Too many requests in this second. You were not charged.', {
    retryAfterSeconds,
  });
}

/** One attempt with a password; only failed ones count in the end. */
interface PasswordAttempt {
  readonly address: string;
  readonly email: string;
  /**
   * The token of a browser in which the account has been signed in to; undefined for another
   * browser.
   */
  readonly knownDevice: string | undefined;
}

/**
 * Limits password guesses, sign-ups and requests for links, in windows of 15 minutes. Guesses are
 * counted by network address and by email address; guesses in a browser that the account knows are
 * counted by that browser instead, so that its owner can sign in whatever others try. Google checks
 * its sign-ins itself: they are not counted.
 */
@Injectable()
export class SignInLimits {
  private readonly guessesByAddress: RateLimiter | undefined;
  private readonly guessesByEmail: RateLimiter;
  private readonly ownGuesses: RateLimiter;
  private readonly signUps: RateLimiter | undefined;
  private readonly linkRequests: RateLimiter | undefined;

  constructor(config: Config, counters: SharedCounters) {
    const limiter = (name: string, points: number) =>
      new RateLimiter(counters, { name, points, durationSeconds: SIGN_IN_WINDOW_SECONDS });
    const { signInsPerAddress } = config.rates;
    const byAddress = (name: string) => (signInsPerAddress > 0 ? limiter(name, signInsPerAddress) : undefined);
    this.guessesByAddress = byAddress('sign-in-address');
    this.signUps = byAddress('sign-up-address');
    this.linkRequests = byAddress('link-address');
    this.guessesByEmail = limiter('sign-in-email', SIGN_INS_PER_EMAIL);
    this.ownGuesses = limiter('sign-in-own', SIGN_INS_PER_EMAIL);
  }

  /** Counts an attempt with a password. Throws `too_many_attempts`. */
  async take({ address, email, knownDevice }: PasswordAttempt): Promise<void> {
    if (knownDevice !== undefined) return this.takeOwn(email, knownDevice);
    refuseExceeded(await this.guessesByAddress?.take(clientNetwork(address)), signInMessages.tooManyFromNetwork);
    // Only now, because attempts refused to one network must not lock the accounts of others.
    refuseExceeded(await this.guessesByEmail.take(hashed(email)), signInMessages.tooManyForAddress);
  }

  /** Takes an attempt back, because the password was correct. */
  async succeeded({ address, email, knownDevice }: PasswordAttempt): Promise<void> {
    if (knownDevice !== undefined) return this.ownGuesses.reset(hashed(email, knownDevice));
    await Promise.all([this.guessesByAddress?.giveBack(clientNetwork(address)), this.reset(email)]);
  }

  /**
   * Counts a guess of a person who is signed in, or in a browser that the account knows. Throws
   * `too_many_attempts`.
   */
  async takeOwn(email: string, place: string): Promise<void> {
    refuseExceeded(await this.ownGuesses.take(hashed(email, place)), signInMessages.tooManyForAddress);
  }

  /** Counts a sign-up with a password. Throws `too_many_attempts`. */
  async takeSignUp(address: string): Promise<void> {
    refuseExceeded(await this.signUps?.take(clientNetwork(address)), signInMessages.tooManySignUps);
  }

  /** Counts a request for a link, or with one. Throws `too_many_attempts`. */
  async takeLinkRequest(address: string): Promise<void> {
    refuseExceeded(await this.linkRequests?.take(clientNetwork(address)), signInMessages.tooManyRequests);
  }

  /** Forgets the guesses at an account's password, after it was changed or entered. */
  async reset(email: string): Promise<void> {
    await this.guessesByEmail.reset(hashed(email));
  }

  /** Forgets the guesses of a person who is signed in. */
  async resetOwn(email: string, place: string): Promise<void> {
    await this.ownGuesses.reset(hashed(email, place));
  }
}

function refuseExceeded(count: Usage | undefined, message: string): void {
  if (!count?.isOver) return;
  const { resetSeconds } = count;
  throw new DomainError('too_many_attempts', withTime(message, resetSeconds), { retryAfterSeconds: resetSeconds });
}

/** A hash, so that Redis holds no email addresses and keys have a fixed length. */
function hashed(email: string, place = ''): string {
  return createHash('sha256').update(`${email.trim().toLowerCase()}\n${place}`).digest('base64');
}

/** Limits the costly actions of an account in the dashboard. */
@Injectable()
export class ActionLimits {
  private readonly checkouts: RateLimiter;
  private readonly webhooks: RateLimiter;
  private readonly exports: RateLimiter;
  private readonly invoiceFiles: RateLimiter;

  constructor(counters: SharedCounters) {
    this.checkouts = new RateLimiter(counters, {
      name: 'checkouts',
      points: limits.checkoutsMax,
      durationSeconds: limits.checkoutWindowSeconds,
    });
    this.webhooks = new RateLimiter(counters, {
      name: 'webhook-actions',
      points: limits.webhookActionsPerMinuteMax,
      durationSeconds: WEBHOOK_WINDOW_SECONDS,
    });
    this.exports = new RateLimiter(counters, {
      name: 'exports',
      points: limits.exportsPerHourMax,
      durationSeconds: EXPORT_WINDOW_SECONDS,
    });
    this.invoiceFiles = new RateLimiter(counters, {
      name: 'invoice-files',
      points: limits.invoiceFilesPerMinuteMax,
      durationSeconds: INVOICE_FILE_WINDOW_SECONDS,
    });
  }

  /** Counts an export of the account's data. Throws `too_many_exports`. */
  async takeExport(accountId: string): Promise<void> {
    const { isOver, resetSeconds: retryAfterSeconds } = await this.exports.take(accountId);
    if (isOver) throw new DomainError('too_many_exports', 'Nothing was exported.', { retryAfterSeconds });
  }

  /** Counts a PDF of an invoice, which takes the server's time to write. Throws `too_many_invoice_files`. */
  async takeInvoiceFile(accountId: string): Promise<void> {
    const { isOver, resetSeconds: retryAfterSeconds } = await this.invoiceFiles.take(accountId);
    if (isOver) throw new DomainError('too_many_invoice_files', 'Wait a moment.', { retryAfterSeconds });
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
