import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { createHash, timingSafeEqual } from 'node:crypto';

const FORM_BYTES_MAX = 65_536;

/** Lets these routes read forms as URLSearchParams; whatever is no form counts as an empty one. */
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

/** Lets control routes say what is wrong with a request as `{error}` with status 400. */
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
 * The URL in a text, by the URL standard; undefined for what is none. In place of URL.canParse, which in Node 20 denies every
 * URL with a letter beyond ASCII as soon as it has been called often enough to be compiled.
 */
export function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch (error) {
    if (isInvalidUrl(error)) return undefined;
    throw error;
  }
}

/** By its code: an error of Node itself may come from another realm, as under Jest. */
function isInvalidUrl(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_INVALID_URL';
}

/** Compares in constant time, whatever the lengths. */
export function sameText(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
