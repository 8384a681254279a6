import { Injectable } from '@nestjs/common';
import type { ApiKey } from '../../keys/api-key.js';
import { refusalOf } from './decision.js';

interface IdempotentRequest {
  readonly key: ApiKey;
  readonly idempotencyKey: string | undefined;
}

/**
 * Idempotency keys whose first request is still running in this process; across processes the
 * database decides.
 */
@Injectable()
export class IdempotencyKeysInFlight {
  private readonly running = new Set<string>();

  /** Throws `idempotency_in_progress` while a request with the same key is running. */
  refuseRunning(request: IdempotentRequest): void {
    const id = idOf(request);
    if (id !== undefined && this.running.has(id)) throw refusalOf('idempotency_in_progress', new Date());
  }

  /** Runs the work of a request, during which {@link refuseRunning} and this refuse others with the same key. */
  async alone<T>(request: IdempotentRequest, work: () => Promise<T>): Promise<T> {
    const id = idOf(request);
    if (id === undefined) return work();
    this.refuseRunning(request);
    this.running.add(id);
    try {
      return await work();
    } finally {
      this.running.delete(id);
    }
  }
}

/** Undefined without an Idempotency-Key, and in test mode, which stores no keys. */
function idOf({ key, idempotencyKey }: IdempotentRequest): string | undefined {
  return idempotencyKey === undefined || key.test ? undefined : `${key.hash.toString('base64')}:${idempotencyKey}`;
}
