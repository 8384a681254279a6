import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { RequestContext } from '#core/platform/telemetry/request-context.js';
import type { ApiKey } from '#core/keys/api-key.js';
import type { KeyAccount } from '#core/keys/api-keys.js';
import type { UnreadBody } from '../http/unread-body.js';

/**
 * A program that calls with an API key, within its rate limits. The use case decides whether an
 * account has the key.
 */
export interface ApiCaller {
  /** `key.test` is true in test mode. */
  readonly key: ApiKey;
  /** The caller's network address. */
  readonly address: string;
  /** The request's Idempotency-Key, on POST routes. */
  readonly idempotencyKey: string | undefined;
  readonly context: RequestContext;
}

/** A caller whose key belongs to an account. */
export interface ApiAccount extends ApiCaller, KeyAccount {}

export type ApiRequest = FastifyRequest & {
  caller?: ApiCaller | ApiAccount;
  /** The last characters of a key that the call does not carry. */
  keyEnding?: string;
  /** The error's code, or the message, of an answer that names neither. */
  answered?: { readonly code: string | null; readonly subject: string | null };
  /** The body as it was sent, once its parsed fields have taken its place. */
  sent?: UnreadBody;
};

/** The caller of a route behind the ApiKeyGuard. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): ApiCaller => {
  const { caller } = context.switchToHttp().getRequest<ApiRequest>();
  if (!caller) throw new Error('A route with @Caller() needs the ApiKeyGuard');
  return caller;
});
