import { Injectable } from '@nestjs/common';
import type { PresentedKey } from './api-keys.js';

const KEYS_MAX = 100_000;

/**
 * The keys whose accounts have a rate limit of their own, as this process last saw it. Requests are counted before their
 * account is looked up, so the limit in force is the one the key's previous request learnt.
 */
@Injectable()
export class KeyRates {
  private readonly perSecond = new Map<string, number>();

  /** Requests per second, or undefined for the service's own limit. */
  of(key: PresentedKey): number | undefined {
    return this.perSecond.size === 0 ? undefined : this.perSecond.get(key.hash.toString('base64'));
  }

  learn(key: PresentedKey, perSecond: number | null): void {
    if (perSecond === null && this.perSecond.size === 0) return;
    const id = key.hash.toString('base64');
    this.perSecond.delete(id);
    if (perSecond === null) return;
    if (this.perSecond.size >= KEYS_MAX) this.perSecond.clear();
    this.perSecond.set(id, perSecond);
  }
}
