import type { FastifyRequest } from 'fastify';
import { headerText } from './boundary-text.js';

const BEARER = /^Bearer\s+(\S+)\s*$/i;
const BASIC = /^Basic +([A-Za-z0-9+/=]+) *$/i;

/**
 * The token of `Authorization: Bearer` (RFC 6750); undefined without one, or for bytes that are not
 * UTF-8.
 */
export function bearerOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return BEARER.exec(headerText(headers.authorization ?? '') ?? '')?.[1];
}

/** User and password of `Authorization: Basic` (RFC 7617); undefined without a password. */
export function basicOf({ headers }: Pick<FastifyRequest, 'headers'>): { user: string; password: string } | undefined {
  const encoded = BASIC.exec(headers.authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [, user = '', password = ''] = /^([^:]*):(.+)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return password === '' ? undefined : { user, password };
}
