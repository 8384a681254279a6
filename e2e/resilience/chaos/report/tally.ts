import type { Verdict } from '../load/attempt.js';

/**
 * Share of all attempts that may be refused as busy: a disk or processor of a shared machine stands
 * still for seconds.
 */
const busyShareMax = 0.1;

/** Counts events by their description and collects faults. */
export class Tally {
  readonly attempts = new Map<string, number>();
  readonly events = new Map<string, number>();
  private readonly known: string[] = [];
  private total = 0;
  private busy = 0;

  /** All violations. */
  get faults(): readonly string[] {
    const isTooBusy = this.busy > this.total * busyShareMax;
    return isTooBusy ? [...this.known, `${this.busy} of ${this.total} attempts were refused as busy`] : this.known;
  }

  attempt({ text, kind }: Verdict): void {
    add(this.attempts, text);
    this.total += 1;
    if (kind === 'busy') this.busy += 1;
    if (kind === 'fault') this.fault(text);
  }

  /**
   * Records the product's answer to a post of the sandbox. After 0 and 503 the post is repeated,
   * or its content is collected later.
   */
  posted(what: string, status: number): void {
    const text = status === 0 ? `${what} of the sandbox: not answered` : `${what} of the sandbox: answered ${status}`;
    this.attempt({ text, kind: status >= 400 && status !== 503 ? 'fault' : 'fine' });
  }

  event(text: string): void {
    add(this.events, text);
  }

  fault(text: string): void {
    this.known.push(`${new Date().toISOString()} ${text}`);
  }
}

function add(counts: Map<string, number>, text: string): void {
  counts.set(text, (counts.get(text) ?? 0) + 1);
}
