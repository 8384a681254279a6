import type { ApiFailure } from '../../api/api-failure.js';

const BYTES = 16;

/**
 * Idempotency keys of messages whose answer was lost: the same message keeps its key until an
 * answer arrives, so it is sent only once.
 */
export class Attempts {
  private readonly unanswered = new Map<string, string>();

  /** The idempotency key for an attempt with this content. */
  keyFor(content: string): string {
    const key = this.unanswered.get(content) ?? newIdempotencyKey();
    this.unanswered.set(content, key);
    return key;
  }

  /** Called when an answer has arrived: from now on the same content is a new message. */
  answered(content: string): void {
    this.unanswered.delete(content);
  }
}

/** A random key. Browsers offer crypto.randomUUID only on HTTPS and localhost. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}

/** Whether a failed attempt may nevertheless have sent the message. */
export function mayHaveBeenSent({ kind, code }: Pick<ApiFailure, 'kind' | 'code'>): boolean {
  return kind === 'connection' || kind === 'broken' || code === 'idempotency_in_progress';
}
