import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

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
