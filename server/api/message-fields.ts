import type { FastifyRequest } from 'fastify';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { isSendableText } from '#core/rules/message-text.js';

/** Throws `invalid_request` when one of the texts cannot be stored or sent. */
export function refuseUnsendable(texts: (string | null | undefined)[]): void {
  if (texts.every((text) => !text || isSendableText(text))) return;
  throw new DomainError('invalid_request', 'A text has a NUL character or half a surrogate pair.');
}

/** In a form, an unescaped + arrives as a space: what is left of "+44…" is taken for what was meant. */
export function numberOf(to: string, request: FastifyRequest): string {
  const isForm = request.headers['content-type']?.includes('application/x-www-form-urlencoded') ?? false;
  return isForm && /^ \d/.test(to) ? `+${to.slice(1)}` : to;
}
