/**
 * The bytes that all fetches of a request may bring together. The first fetch that exceeds them
 * ends all the others.
 */
export class FetchBudget {
  private readonly end = new AbortController();
  private taken = 0;

  constructor(readonly bytesMax: number) {}

  get isExceeded(): boolean {
    return this.end.signal.aborted;
  }

  /** Is aborted when the budget is exceeded. */
  get exceeded(): AbortSignal {
    return this.end.signal;
  }

  /** Passes on a content that stands in the request so many times, and counts it as often. */
  async *spend(content: AsyncIterable<Uint8Array>, times: number): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      this.taken += chunk.length * times;
      if (this.taken > this.bytesMax) this.end.abort();
      yield chunk;
    }
  }
}
