import type { FastifyRequest } from 'fastify';
import { limits } from '#contract/limits.js';
import { DomainError } from '#core/platform/errors/domain-error.js';

/** The caller's Idempotency-Key; undefined without one. Throws `invalid_request`. */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key === '' || key.length > limits.idempotencyKeyCharactersMax) {
    throw new DomainError(
      'invalid_request',
      `Idempotency-Key has 1 to ${limits.idempotencyKeyCharactersMax} characters.`,
    );
  }
  return key;
}
