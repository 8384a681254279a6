import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Config } from '#core/platform/config/config.js';
import { DomainError } from '#core/platform/errors/domain-error.js';

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Lets a state-changing call in only when a page of ours made it: browsers say so in `Sec-Fetch-Site` (Fetch Metadata), older
 * ones in `Origin`. A call that says neither is refused. Throws `cross_site`.
 */
@Injectable()
export class SameOriginGuard implements CanActivate {
  private readonly origin: string;

  constructor({ http }: Config) {
    this.origin = new URL(http.publicUrl).origin;
  }

  canActivate(context: ExecutionContext): boolean {
    const { method, headers } = context.switchToHttp().getRequest<FastifyRequest>();
    if (readingMethods.has(method)) return true;
    const site = headers['sec-fetch-site'];
    if (site === 'same-origin' || site === 'none' || headers.origin === this.origin) return true;
    throw new DomainError('cross_site', 'This call is for the pages of this site alone.');
  }
}
