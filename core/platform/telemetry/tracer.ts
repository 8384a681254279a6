export interface SpanOptions {
  readonly kind?: 'server' | 'client' | 'producer' | 'consumer';
  /** Parent span (W3C Trace Context); without it, a new trace starts. */
  readonly parent?: string | undefined;
  readonly attributes?: Readonly<Record<string, string | number>>;
}

/** A unit of work in a trace. */
export interface Span {
  /** Propagates the trace; undefined if tracing is off. */
  readonly traceparent: string | undefined;
  set(name: string, value: string | number): void;
  /** Call once; an error marks the span as failed and is recorded by class name only. */
  end(error?: unknown): void;
}

const noSpan: Span = { traceparent: undefined, set: () => undefined, end: () => undefined };

/**
 * Creates spans. This implementation is used when tracing is off: it records nothing and costs
 * nothing.
 */
export class Tracer {
  readonly isOn: boolean = false;

  start(_name: string, _options: SpanOptions = {}): Span {
    return noSpan;
  }

  /** Runs the work in a span that ends with it. */
  within<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
    return this.isOn ? spanned(this.start(name, options), work) : work(noSpan);
  }

  /** Resolves when pending spans have been exported or dropped. */
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
