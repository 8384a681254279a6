import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#core/platform/config/config.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { probeRoutes } from './request-hooks.js';

const linkRoute = /^\/m\//;

/**
 * Fastify hook that keeps files of others apart from our pages, where MEDIA_URL names a host of its
 * own: that host has files alone, and the host of the pages has none. Throws `not_found`.
 */
export function separateMedia({ http, media }: Pick<Config, 'http' | 'media'>) {
  const [pages, files] = [http.publicUrl, media.url].map((url) => new URL(url).host);
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    if (pages === files) return done();
    const { host, url } = request;
    const isMisplaced = linkRoute.test(url) ? host === pages : host === files && !probeRoutes.test(url);
    done(
      isMisplaced ? new DomainError('not_found', `There is nothing at ${url.split('?')[0]} of this host.`) : undefined,
    );
  };
}
