import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/** The pages for people: each is an HTML file of the build and answers under its own name. */
const PAGES = ['phone', 'mail', 'hooks'] as const;

const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'";

/** Serves the built pages; `dir` is where Vite put them. */
export function pagesRoutes(dir: string) {
  return async (app: FastifyInstance): Promise<void> => {
    if (!existsSync(dir)) {
      for (const page of PAGES) {
        app.get(`/${page}`, (_request, reply) =>
          reply.code(503).type('text/plain').send('The pages are not built yet. Run: npm run build\n'),
        );
      }
      return;
    }
    await app.register(fastifyStatic, {
      root: join(dir, 'assets'),
      prefix: '/pages/assets/',
      immutable: true,
      maxAge: '1y',
      decorateReply: true,
    });
    app.get('/pages/mark.svg', (_request, reply) => reply.sendFile('mark.svg', dir));
    app.get('/favicon.ico', (_request, reply) => reply.redirect('/pages/mark.svg'));
    for (const page of PAGES) {
      app.get(`/${page}`, (_request, reply) =>
        reply
          .header('content-security-policy', POLICY)
          .header('cache-control', 'no-cache')
          .sendFile(`${page}.html`, dir, { cacheControl: false }),
      );
    }
  };
}
