const BYTES = 16;

/**
 * Idempotency keys of messages whose answer was lost: the same message tried again carries the same key, so it is sent once however
 * often its answer is lost on the way.
 */
export class Attempts {
  private readonly unanswered = new Map<string, string>();

  /** The key for a try of this content. */
  keyFor(content: string): string {
    const key = this.unanswered.get(content) ?? newKey();
    this.unanswered.set(content, key);
    return key;
  }

  /** An answer came: the same content is a new message from now on. */
  answered(content: string): void {
    this.unanswered.delete(content);
  }
}

/** Not crypto.randomUUID: browsers have that on HTTPS and localhost alone. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}
