import { Injectable } from '@nestjs/common';
import type { Counter, Histogram } from 'prom-client';
import { Logger } from './logger.js';
import { Metrics } from './metrics.js';
import { type Span, type SpanOptions, Tracer } from './tracer.js';

interface Observed<T> extends SpanOptions {
  /** Outcome of the work: the label of its metrics, and an attribute of its span. */
  readonly outcomeOf?: (result: T) => string;
  readonly counted?: Counter<'outcome'>;
  /** Records the duration in seconds. */
  readonly timed?: Histogram<'outcome'>;
}

/** Observability of a use case: log, metrics and traces. */
@Injectable()
export class Telemetry {
  constructor(
    readonly logger: Logger,
    readonly metrics: Metrics,
    private readonly tracer: Tracer,
  ) {}

  /** Runs work in a span that ends with it. Work that throws has no outcome in the metrics. */
  observe<T>(name: string, options: Observed<T>, work: (span: Span) => Promise<T>): Promise<T> {
    const { outcomeOf, counted, timed, ...span } = options;
    if (!outcomeOf) return this.tracer.within(name, span, work);
    return this.tracer.within(name, span, async (open) => {
      const startedAtMs = performance.now();
      const result = await work(open);
      const outcome = outcomeOf(result);
      open.set('pennytext.outcome', outcome);
      counted?.inc({ outcome });
      timed?.observe({ outcome }, (performance.now() - startedAtMs) / 1_000);
      return result;
    });
  }
}
