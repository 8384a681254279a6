interface CachedReadOptions<T> {
  readonly read: () => Promise<T>;
  /** An answer serves everybody who asks within this time. */
  readonly freshMs: number;
  /** Nobody waits longer; the read itself goes on, and no other begins beside it. */
  readonly patienceMs: number;
}

/** Something that many ask for and that is dear to read: ten who ask at once cost one reading. */
export class CachedRead<T> {
  private reading: Promise<T> | undefined;
  private readAtMs = -Infinity;
  private answer: T | undefined;

  constructor(private readonly options: CachedReadOptions<T>) {}

  /** Throws what the reading threw, or when it takes too long. */
  async get(): Promise<T> {
    const { freshMs, patienceMs } = this.options;
    if (this.answer !== undefined && performance.now() - this.readAtMs < freshMs) return this.answer;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`No answer within ${patienceMs} ms`)), patienceMs);
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
