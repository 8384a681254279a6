export interface SpanOptions {
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer';
  /** The span this one belongs to (W3C Trace Context); without it a new trace begins. */
  readonly parent?: string | undefined;
  readonly attributes?: Readonly<Record<string, string | number>>;
}

/** One piece of work in a trace. */
export interface Span {
  /** Hands the trace on; undefined while nothing is traced. */
  readonly traceparent: string | undefined;
  set(name: string, value: string | number): void;
  /** To be called once; an error marks the span as failed, by its class and never by its words. */
  end(error?: unknown): void;
}

const noSpan: Span = { traceparent: undefined, set: () => undefined, end: () => undefined };

/** Writes traces where the operator collects them. This one, in use unless he does, writes nothing and costs nothing. */
export class Tracer {
  readonly isOn: boolean = false;

  start(_name: string, _options: SpanOptions = {}): Span {
    return noSpan;
  }

  /** Runs the work within a span that ends with it. */
  within<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
    return this.isOn ? spanned(this.start(name, options), work) : work(noSpan);
  }

  /** Resolves when what was traced has been handed over, or could not be. */
  async close(): Promise<void> {}
}

async function spanned<T>(span: Span, work: (span: Span) => Promise<T>): Promise<T> {
  try {
    const result = await work(span);
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
