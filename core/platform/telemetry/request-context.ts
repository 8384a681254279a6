/**
 * What something came of: it travels beside ids, through calls and jobs, for logs and traces alone. Everything works without it,
 * and a job that was lost and found again has none.
 */
export interface RequestContext {
  /** The HTTP request, as `X-Request-Id` of its answer names it. */
  readonly requestId?: string | undefined;
  /** The span it came of (W3C Trace Context). */
  readonly traceparent?: string | undefined;
}

/** The same as fields of a job: what is not known is not there. */
export function contextFields({ requestId, traceparent }: RequestContext = {}): RequestContext {
  return { ...(requestId !== undefined && { requestId }), ...(traceparent !== undefined && { traceparent }) };
}
