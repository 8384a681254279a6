/**
 * Limit of bytes for all fetches of a request together. The first fetch that exceeds it ends all
 * others.
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

  /** Passes a content on and counts its bytes once for each time that the request names it. */
  async *spend(content: AsyncIterable<Uint8Array>, times: number): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      this.taken += chunk.length * times;
      if (this.taken > this.bytesMax) this.end.abort();
      yield chunk;
    }
  }
}
