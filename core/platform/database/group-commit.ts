import { setTimeout as pause } from 'node:timers/promises';

const IDLE_CHECK_MS = 10;

interface Waiting<In, Out> {
  readonly item: In;
  readonly resolve: (result: Out) => void;
  readonly reject: (error: unknown) => void;
  /** As `performance.now()` has it. */
  readonly sinceMs: number;
}

interface GroupCommitOptions<In, Out> {
  /** Items of one batch at the most. */
  readonly batchMax: number;
  /** Batches under way at the same time. */
  readonly inFlightMax: number;
  /** Items waiting for a batch; one more is refused by `onFull`. */
  readonly waitingMax: number;
  /** Decides a batch; answers one result per item, in order. */
  readonly run: (batch: In[]) => Promise<Out[]>;
  readonly onFull: () => Error;
  /** Told of each batch when it starts: how many items, and how long the first of them has waited. */
  readonly onBatch?: (items: number, waitedMs: number) => void;
  /** How long an item may wait for a batch, after which `onFull` refuses it, too; without it as long as it takes. */
  readonly waitMsMax?: number;
  /** What an item is told whose batch takes longer than `runMsMax`; the batch goes on, and nobody knows how it ends. */
  readonly late?: { readonly runMsMax: number; readonly error: () => Error };
}

/**
 * Shares database round trips: what arrives while batches are under way goes into the next one. There is no timer, so a
 * lone item is never delayed; under load the batches grow as large as the round trip is long.
 */
export class GroupCommit<In, Out> {
  private waiting: Waiting<In, Out>[] = [];
  private inFlight = 0;
  private scheduled = false;
  private expiry: NodeJS.Timeout | undefined;

  constructor(private readonly options: GroupCommitOptions<In, Out>) {}

  /** Items that no batch has taken yet. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  submit(item: In): Promise<Out> {
    if (this.waiting.length >= this.options.waitingMax) return Promise.reject(this.options.onFull());
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject, sinceMs: performance.now() });
      this.schedule();
      this.watchOldest();
    });
  }

  /** Resolves when nothing waits and nothing is under way, at the latest after the bound. */
  async idle(timeoutMs: number): Promise<void> {
    const until = performance.now() + timeoutMs;
    while (this.inFlight + this.waiting.length > 0 && performance.now() < until) await pause(IDLE_CHECK_MS);
  }

  /** What the event loop reads in one turn shares a batch. */
  private schedule(): void {
    if (this.scheduled || this.inFlight >= this.options.inFlightMax || this.waiting.length === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      void this.dispatch();
    });
  }

  /** One timer, for the item that has waited longest. */
  private watchOldest(): void {
    const { waitMsMax } = this.options;
    const [oldest] = this.waiting;
    if (waitMsMax === undefined || this.expiry || !oldest) return;
    this.expiry = setTimeout(
      () => {
        this.expiry = undefined;
        this.refuseBefore(performance.now() - waitMsMax);
        this.watchOldest();
      },
      Math.max(1, oldest.sinceMs + waitMsMax - performance.now()),
    ).unref();
  }

  private refuseBefore(ms: number): void {
    const kept = this.waiting.findIndex(({ sinceMs }) => sinceMs > ms);
    const refused = this.waiting.splice(0, kept < 0 ? this.waiting.length : kept);
    for (const { reject } of refused) reject(this.options.onFull());
  }

  private async dispatch(): Promise<void> {
    const batch = this.waiting.splice(0, this.options.batchMax);
    this.inFlight += 1;
    this.schedule();
    if (batch[0]) this.options.onBatch?.(batch.length, performance.now() - batch[0].sinceMs);
    const timer = this.whenLate(batch);
    try {
      const results = await this.options.run(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error('A batch answers exactly one result per item');
      batch.forEach(({ resolve }, index) => resolve(results[index] as Out));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      clearTimeout(timer);
      this.inFlight -= 1;
      this.schedule();
    }
  }

  private whenLate(batch: readonly Waiting<In, Out>[]): NodeJS.Timeout | undefined {
    const { late } = this.options;
    if (!late) return undefined;
    return setTimeout(() => {
      for (const { reject } of batch) reject(late.error());
    }, late.runMsMax).unref();
  }
}
