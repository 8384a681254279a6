import { DomainError } from '../errors/domain-error.js';

interface SnapshotOptions<T> {
  readonly read: () => Promise<T>;
  /** Age up to which a value is returned without a read. A value is as old as the begin of its read. */
  readonly freshMs: number;
  /** Age up to which a value is returned while the next one is read. By default a caller waits for the read. */
  readonly servesMs?: number;
  /** Longest wait of a caller. The read goes on, and no second one starts. By default there is no bound. */
  readonly patienceMs?: number;
  /**
   * Whether the last value is returned after a failed read, with the next attempt after `freshMs`. By default the
   * callers get the failure, and the next call reads again.
   */
  readonly keepsLast?: boolean;
}

/** A value that is read at most every so often, however many callers ask for it. */
export class Snapshot<T> {
  private latest: { readonly value: Promise<T>; readonly atMs: number } | undefined;
  private reading: Promise<T> | undefined;
  private triedAtMs = -Infinity;

  constructor(private readonly options: SnapshotOptions<T>) {}

  /** Throws the failure of the read when there is no value to return, and `unavailable` after the longest wait. */
  get(): Promise<T> {
    const { freshMs, servesMs = freshMs, patienceMs, keepsLast = false } = this.options;
    const { latest } = this;
    const now = performance.now();
    const ageMs = latest ? now - latest.atMs : Infinity;
    if (latest && ageMs < freshMs) return latest.value;
    const isTried = keepsLast && now - this.triedAtMs < freshMs;
    const reading = this.reading ?? (latest && isTried ? latest.value : this.read(now));
    if (latest && ageMs < servesMs) return latest.value;
    return patienceMs === undefined ? reading : within(patienceMs, reading);
  }

  private read(atMs: number): Promise<T> {
    this.triedAtMs = atMs;
    const { latest } = this;
    const reading = this.options
      .read()
      .then((value) => {
        this.latest = { value: reading, atMs };
        return value;
      })
      .catch((error: unknown) => {
        if (latest && this.options.keepsLast) return latest.value;
        throw error;
      })
      .finally(() => {
        this.reading = undefined;
      });
    this.reading = reading;
    // A caller that waits for the read gets its failure.
    reading.catch(() => undefined);
    return reading;
  }
}

async function within<T>(boundMs: number, reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new DomainError('unavailable', `No answer within ${boundMs} ms. Try again.`)),
      boundMs,
    );
  });
  try {
    return await Promise.race([reading, late]);
  } finally {
    clearTimeout(timer);
  }
}
