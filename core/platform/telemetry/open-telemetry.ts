import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
  type Context,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { Logger } from './logger.js';
import { Tracer, type Span, type SpanOptions } from './tracer.js';

const CLOSE_WITHIN_MS = 5_000;
const EXPORT_TIMEOUT_MS = 5_000;
const WAITING_SPANS_MAX = 8_192;

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;

/** W3C Trace Context, version 00: trace id, span id, flags. */
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

interface Destination {
  /** Base URL of the collector; `/v1/traces` is appended, as OTLP/HTTP specifies. */
  readonly endpoint: string;
  /** `pennytext-server`, `pennytext-worker`. */
  readonly service: string;
  readonly version: string;
  readonly logger: Logger;
}

/**
 * Exports spans to a collector by OTLP over HTTP, in batches in the background. Parents are passed
 * explicitly, so Node's asynchronous context is not tracked. Spans that the collector does not
 * accept are dropped. Sampling: OTEL_TRACES_SAMPLER.
 */
export class OpenTelemetryTracer extends Tracer {
  override readonly isOn = true;
  private readonly provider: NodeTracerProvider;
  private readonly tracer;

  constructor({ endpoint, service, version, logger }: Destination) {
    super();
    diag.setLogger(
      {
        error: (reason: string) => logger.warn({ reason }, 'traces not exported'),
        warn: (reason: string) => logger.warn({ reason }, 'traces not exported'),
        info: () => undefined,
        debug: () => undefined,
        verbose: () => undefined,
      },
      { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
    );
    const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: EXPORT_TIMEOUT_MS });
    this.provider = new NodeTracerProvider({
      resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
      spanProcessors: [new BatchSpanProcessor(exporter, { maxQueueSize: WAITING_SPANS_MAX })],
    });
    this.tracer = this.provider.getTracer('pennytext', version);
  }

  override start(name: string, { kind, parent, attributes }: SpanOptions = {}): Span {
    const span = this.tracer.startSpan(
      name,
      { ...(kind && { kind: kinds[kind] }), ...(attributes && { attributes: { ...attributes } }) },
      contextOf(parent),
    );
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
      set: (key, value) => void span.setAttribute(key, value),
      end: (error) => {
        if (error !== undefined) {
          span.setStatus({ code: SpanStatusCode.ERROR });
          span.setAttribute('error.type', error instanceof Error ? error.name : 'Error');
        }
        span.end();
      },
    };
  }

  override async close(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, CLOSE_WITHIN_MS);
    });
    await Promise.race([this.provider.shutdown(), late]);
    clearTimeout(timer);
  }
}

function contextOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags = '00'] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
