import type { Verdict } from '../load/attempt.js';

/** Counts what happened, by its words; and keeps the faults. */
export class Tally {
  readonly attempts = new Map<string, number>();
  readonly events = new Map<string, number>();
  readonly faults: string[] = [];

  attempt({ text, isFault }: Verdict): void {
    add(this.attempts, text);
    if (isFault) this.fault(text);
  }

  /** What the product answered to a post of the sandbox's: 0 and 503 are repeated or collected later. */
  posted(what: string, status: number): void {
    const text = status === 0 ? `${what} of the sandbox: not answered` : `${what} of the sandbox: answered ${status}`;
    this.attempt({ text, isFault: status >= 400 && status !== 503 });
  }

  event(text: string): void {
    add(this.events, text);
  }

  /** Something that must not happen. */
  fault(text: string): void {
    this.faults.push(`${new Date().toISOString()} ${text}`);
  }
}

function add(counts: Map<string, number>, text: string): void {
  counts.set(text, (counts.get(text) ?? 0) + 1);
}
