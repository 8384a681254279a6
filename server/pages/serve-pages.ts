import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BuiltPages } from './built-pages.js';

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;

/** Served by the PagesController, because they depend on the session. */
const sessionPages = /^\/(login|dashboard)(\/|$)/;

/** Serves the pages that are the same for every visitor, and the assets. */
export async function servePages(fastify: FastifyInstance, pages: BuiltPages, folder: string): Promise<void> {
  for (const [path, file] of pages.files) {
    if (!sessionPages.test(path)) fastify.get(path, (request, reply) => file.send(request, reply));
    if (path !== '/' && !path.startsWith('/dashboard/')) fastify.get(`${path}/`, redirectTo(path));
  }
  fastify.get('/dashboardpage', redirectTo('/dashboard'));
  // Their names contain a hash of their content.
  await fastify.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    maxAge: YEAR_MS,
    immutable: true,
    preCompressed: true,
    decorateReply: false,
  });
  // Icons and images.
  await fastify.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    globIgnore: ['assets/**', '**/*.{html,data,txt,xml}'],
    decorateReply: false,
    maxAge: DAY_MS,
  });
}

/** Redirects to the canonical path and keeps the query. */
function redirectTo(path: string) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const query = request.url.slice(request.url.split('?')[0]?.length);
    void reply.redirect(`${path}${query}`, 301);
  };
}
