import { EnvironmentError } from '../config/env.js';

/** One line for a person: why a program did not start, and how to mend it. An unknown failure is shown whole. */
export function explainStartFailure(error: unknown): string {
  if (error instanceof EnvironmentError) return error.message;
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code === 'EADDRINUSE')
    return `A port is taken (${message}). Stop what listens there, or set PORT or WORKER_PORT to another one.`;
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ETIMEDOUT') {
    return `A service does not answer (${message || code}). Start it, or mend DATABASE_URL or REDIS_URL.`;
  }
  if (code === '28P01' || code === '28000')
    return `Postgres refuses the user (${message}). Mend the user or password in DATABASE_URL.`;
  if (code === '3D000') return `${message}. Create it (createdb), or mend DATABASE_URL.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function codeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
