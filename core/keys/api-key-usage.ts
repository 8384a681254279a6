import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Logger } from '../platform/telemetry/logger.js';
import { normalAddress } from '../rules/network-addresses.js';
import { ApiKeysRepository, type KeyUse } from './api-keys.repository.js';
import type { ApiKey } from './api-key.js';

const KEYS_WITH_OWN_LIMIT_MAX = 100_000;
const RECORD_EVERY_MS = 60_000;
const WRITE_AFTER_MS = 1_000;
const PENDING_KEYS_MAX = 10_000;

/**
 * Records the use of API keys. Keeps two facts: the rate limit of an account or key, against which
 * the key's next request is counted before its account is looked up, and minute and address of the
 * last use, which are written in batches outside the caller's transaction.
 */
@Injectable()
export class ApiKeyUsage implements BeforeApplicationShutdown {
  private readonly limits = new Map<string, number>();
  private readonly recordedAtMs = new WeakMap<ApiKey, number>();
  private pending = new Map<string, KeyUse>();
  private timer: NodeJS.Timeout | undefined;
  private written: Promise<void> = Promise.resolve();

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly logger: Logger,
  ) {}

  /**
   * Requests per second that the account's own limit allows; undefined when the service's default
   * applies.
   */
  limitOf(key: ApiKey): number | undefined {
    return this.limits.size === 0 ? undefined : this.limits.get(idOf(key));
  }

  /** Records a request whose account was found; `limitPerSecond` is null without its own limit. */
  record(key: ApiKey, limitPerSecond: number | null, address: string): void {
    this.recordLimit(key, limitPerSecond);
    this.recordUse(key, address);
  }

  /**
   * Writes pending uses, and returns when the uses of an earlier flush are written too. A failure
   * is logged: the key's use in the next minute is recorded again.
   */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const uses = [...this.pending.values()];
    this.pending = new Map();
    if (uses.length > 0) this.written = Promise.all([this.written, this.write(uses)]).then(() => undefined);
    return this.written;
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  private async write(uses: KeyUse[]): Promise<void> {
    try {
      await this.keys.touch(uses);
    } catch (err) {
      this.logger.warn({ err }, 'use of API keys not recorded');
    }
  }

  private recordLimit(key: ApiKey, limitPerSecond: number | null): void {
    if (limitPerSecond === null && this.limits.size === 0) return;
    const id = idOf(key);
    this.limits.delete(id);
    if (limitPerSecond === null) return;
    if (this.limits.size >= KEYS_WITH_OWN_LIMIT_MAX) this.limits.clear();
    this.limits.set(id, limitPerSecond);
  }

  private recordUse(key: ApiKey, address: string): void {
    const nowMs = Date.now();
    const recordedAtMs = this.recordedAtMs.get(key);
    if (recordedAtMs !== undefined && nowMs - recordedAtMs < RECORD_EVERY_MS) return;
    if (this.pending.size >= PENDING_KEYS_MAX) return;
    this.recordedAtMs.set(key, nowMs);
    this.pending.set(idOf(key), { key, address: normalAddress(address) });
    this.timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref();
  }
}

function idOf({ hash }: ApiKey): string {
  return hash.toString('base64');
}
