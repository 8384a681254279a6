import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Logger } from '../../platform/telemetry/logger.js';
import type { PresentedKey } from '../api-keys.js';
import { ApiKeysRepository } from './api-keys.repository.js';

const REMEMBER_MS = 60_000;
const WRITE_AFTER_MS = 1_000;
const WAITING_KEYS_MAX = 10_000;

/**
 * When keys were last used, to the minute. Noting costs the caller a look-up in memory; what is new is written together, a
 * moment later, outside any transaction of the caller's.
 */
@Injectable()
export class KeyUse implements BeforeApplicationShutdown {
  private readonly notedAtMs = new WeakMap<PresentedKey, number>();
  private waiting = new Map<string, Buffer>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly logger: Logger,
  ) {}

  note(key: PresentedKey): void {
    const nowMs = Date.now();
    const notedAtMs = this.notedAtMs.get(key);
    if (notedAtMs !== undefined && nowMs - notedAtMs < REMEMBER_MS) return;
    if (this.waiting.size >= WAITING_KEYS_MAX) return;
    this.notedAtMs.set(key, nowMs);
    this.waiting.set(key.hash.toString('base64'), key.hash);
    this.timer ??= setTimeout(() => void this.write(), WRITE_AFTER_MS).unref();
  }

  /** Writes what waits. A failure is logged: the next use in a minute tells it again. */
  async write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const hashes = [...this.waiting.values()];
    this.waiting = new Map();
    if (hashes.length === 0) return;
    await this.keys.touch(hashes).catch((err: unknown) => this.logger.warn({ err }, 'use of keys not noted'));
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.write();
  }
}
