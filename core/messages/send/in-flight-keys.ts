import type { ApiKey } from '../../accounts/api-keys.js';

/** Idempotency keys whose first request is still running in this process; across processes the database decides. */
export class InFlightKeys {
  private readonly running = new Set<string>();

  /** Answers the function that ends the request, or undefined when one with the same key is running. */
  enter(key: ApiKey, idempotencyKey: string): (() => void) | undefined {
    const id = `${key.hash.toString('base64')}:${idempotencyKey}`;
    if (this.running.has(id)) return undefined;
    this.running.add(id);
    return () => this.running.delete(id);
  }
}
