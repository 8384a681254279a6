import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BuiltPages } from './built-pages.js';

const DAY_MS = 86_400_000;
const YEAR_MS = 365 * DAY_MS;

/** The entrance.controller's: they depend on who asks. */
const entrances = /^\/(login|dashboard)(\/|$)/;

/** Gives every page its address, and the files beside them theirs. */
export async function servePages(fastify: FastifyInstance, pages: BuiltPages, folder: string): Promise<void> {
  for (const [path, file] of pages.files) {
    if (!entrances.test(path)) fastify.get(path, (request, reply) => file.send(request, reply));
    if (path !== '/' && !path.startsWith('/dashboard/')) fastify.get(`${path}/`, redirectTo(path));
  }
  fastify.get('/dashboardpage', redirectTo('/dashboard'));
  // Their names change with their content, so a browser never needs to ask again.
  await fastify.register(fastifyStatic, {
    root: join(folder, 'assets'),
    prefix: '/assets/',
    maxAge: YEAR_MS,
    immutable: true,
    preCompressed: true,
    decorateReply: false,
    setHeaders: takeTypeAsSaid,
  });
  // Icons and pictures.
  await fastify.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    globIgnore: ['assets/**', '**/*.{html,data,txt,xml}'],
    decorateReply: false,
    maxAge: DAY_MS,
    setHeaders: takeTypeAsSaid,
  });
}

function takeTypeAsSaid(reply: FastifyReply): void {
  void reply.header('X-Content-Type-Options', 'nosniff');
}

/** One page has one address; what stands after the ? goes along. */
function redirectTo(path: string) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    const query = request.url.slice(request.url.split('?')[0]?.length);
    void reply.redirect(`${path}${query}`, 301);
  };
}
