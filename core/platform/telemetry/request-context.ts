/**
 * Request id and trace, passed along with ids through calls and jobs, for logs and traces only.
 * Optional everywhere: jobs that recovery adds have no context.
 */
export interface RequestContext {
  /** Id of the HTTP request, as in the `X-Request-Id` header of its response. */
  readonly requestId?: string | undefined;
  /** Parent span (W3C Trace Context). */
  readonly traceparent?: string | undefined;
}

/** Returns the defined fields of a context, for jobs and logs. */
export function contextFields({ requestId, traceparent }: RequestContext = {}): RequestContext {
  return { ...(requestId !== undefined && { requestId }), ...(traceparent !== undefined && { traceparent }) };
}
