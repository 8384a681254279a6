import type { Hint } from '#core/platform/events/event-text.js';

/** Rows of one account that are read at a time; with more than that changed, its pages read their views again. */
const ROWS_PER_ACCOUNT_MAX = 200;
/** `many` has a page read its whole view: no more often than this. */
const MANY_EVERY_MS = 1_000;

/** What is to be told of an account, beside its balance. */
export type Changes = Omit<Hint, 'accountId'>;

/** Hints of one account that its pages have not been told of yet. */
export class AccountChanges {
  private sent = new Set<string>();
  private received = new Set<string>();
  private many = false;
  private isTouched = false;
  private manyToldAtMs = -Infinity;

  add({ sent, received, many }: Changes): void {
    this.isTouched = true;
    this.many ||= many;
    for (const id of sent) this.sent.add(id);
    for (const id of received) this.received.add(id);
    if (this.sent.size + this.received.size > ROWS_PER_ACCOUNT_MAX) this.many = true;
    if (!this.many) return;
    this.sent.clear();
    this.received.clear();
  }

  get isWaiting(): boolean {
    return this.isTouched || this.many;
  }

  /** What is to be told now; undefined when nothing is. A `many` that comes too soon stays for later. */
  take(nowMs: number): Changes | undefined {
    const many = this.many && nowMs - this.manyToldAtMs >= MANY_EVERY_MS;
    if (!this.isTouched && !many) return undefined;
    const changes = { sent: [...this.sent], received: [...this.received], many };
    this.sent.clear();
    this.received.clear();
    this.isTouched = false;
    if (many) {
      this.many = false;
      this.manyToldAtMs = nowMs;
    }
    return changes;
  }
}
