import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

const FORM_BYTES_MAX = 65_536;

/**
 * Parses the bodies of these routes as URLSearchParams; a body that is not a form counts as an
 * empty form.
 */
export function readForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const options = { parseAs: 'string', bodyLimit: FORM_BYTES_MAX } as const;
  app.addContentTypeParser<string>('application/x-www-form-urlencoded', options, (_request, body, done) =>
    done(null, new URLSearchParams(body)),
  );
  app.addContentTypeParser<string>('*', options, (_request, _body, done) => done(null, new URLSearchParams()));
  app.addHook('preValidation', (request, _reply, done) => {
    request.body ??= new URLSearchParams();
    done();
  });
}

/** Answers invalid requests to these routes with 400 and `{error}`. */
export function explainFaults(app: FastifyInstance): void {
  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof z.ZodError) return reply.code(400).send({ error: explain(error) });
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
    if (status >= 500) throw error;
    return reply.code(status).send({ error: (error as Error).message });
  });
}

function explain(error: z.ZodError): string {
  return error.issues.map((issue) => [issue.path.join('.'), issue.message].filter(Boolean).join(': ')).join('; ');
}

/**
 * Parses a URL; returns undefined for any other text. Replaces URL.canParse, which in Node 20
 * rejects every URL with a non-ASCII letter once it has been optimized.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch (error) {
    if (isInvalidUrl(error)) return undefined;
    throw error;
  }
}

/** Checks the code rather than the class: under Jest, Node's errors come from another realm. */
function isInvalidUrl(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_INVALID_URL';
}
