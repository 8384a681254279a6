import { DomainError } from '../errors/domain-error.js';

interface CachedReadOptions<T> {
  readonly read: () => Promise<T>;
  /** A result is reused for this time. */
  readonly freshMs: number;
  /** Callers wait no longer than this; the read itself continues, and no second one starts. */
  readonly patienceMs: number;
}

/** Caches an expensive read and coalesces concurrent callers. */
export class CachedRead<T> {
  private reading: Promise<T> | undefined;
  private readAtMs = -Infinity;
  private answer: T | undefined;

  constructor(private readonly options: CachedReadOptions<T>) {}

  /** Throws if the read fails, and `unavailable` if it takes too long. */
  async get(): Promise<T> {
    const { freshMs, patienceMs } = this.options;
    if (this.answer !== undefined && performance.now() - this.readAtMs < freshMs) return this.answer;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new DomainError('unavailable', `No answer within ${patienceMs} ms. Try again.`)),
        patienceMs,
      );
    });
    try {
      return await Promise.race([this.read(), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  private read(): Promise<T> {
    this.reading ??= this.options
      .read()
      .then((answer) => {
        this.answer = answer;
        this.readAtMs = performance.now();
        return answer;
      })
      .finally(() => {
        this.reading = undefined;
      });
    return this.reading;
  }
}
