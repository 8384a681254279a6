import { createParamDecorator, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ZodType } from 'zod';
import type { KeyScope } from '#contract/account.js';
import { ApiKeys, type ApiKey } from '#core/accounts/api-keys.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import type { RequestContext } from '#core/platform/telemetry/request-context.js';
import { idempotencyKeyOf, parseInput } from '../http/input.js';
import { requestContextOf } from '../http/request-hooks.js';
import { ApiRateLimits } from '../http/rate-limits.js';

/** A program that calls with an API key, within its rate limits. Whether an account has the key is decided by the use case. */
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
export interface ApiAccount extends ApiCaller {
  readonly accountId: string;
}

type ApiRequest = FastifyRequest & { caller?: ApiCaller | ApiAccount };
type ApiFields = { readonly apikey: string };
type OptionalApiFields = { readonly apikey?: string | undefined };

/** The body of a POST route, which must have an `apikey`. The route reads the parsed fields by `@Body()`, the caller by `@Caller()`. */
export const ApiBody = Reflector.createDecorator<ZodType<ApiFields>>();

/** The query of a GET route, or the body of a POST route about one record, and the scope that it needs. Its caller is an {@link ApiAccount}. */
export const ApiQuery = Reflector.createDecorator<{ schema: ZodType<OptionalApiFields>; scope: KeyScope }>();

/**
 * Guards the public API. The error table puts an invalid or missing field before the rate limit, and the rate limit before an
 * unknown key, so the guard parses the fields itself: Nest runs pipes only after all guards. Throws `invalid_request`,
 * `missing_fields`, `rate_limited` and, on GET routes, what {@link ApiKeys.authenticate} throws.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly apiKeys: ApiKeys,
    private readonly rateLimits: ApiRateLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const reply = http.getResponse<FastifyReply>();
    const bodySchema = this.reflector.get(ApiBody, context.getHandler());
    if (bodySchema) {
      const idempotencyKey = idempotencyKeyOf(request);
      const body = parseInput(bodySchema, fieldsOf(request, request.body));
      request.body = body;
      request.caller = await this.admit(request, reply, body.apikey, idempotencyKey);
      return true;
    }
    const { schema, scope } = this.reflector.get(ApiQuery, context.getHandler());
    const isPost = request.method === 'POST';
    const query = parseInput(schema, fieldsOf(request, isPost ? request.body : request.query));
    if (!query.apikey) {
      await this.rateLimits.takeAddress(request.ip);
      const detail = `Send the API key as "Authorization: Bearer" or as "apikey" in the ${isPost ? 'body' : 'query'}.`;
      throw new DomainError('unknown_api_key', detail);
    }
    if (!isPost) request.query = query;
    const caller = await this.admit(request, reply, query.apikey);
    const { accountId } = await this.apiKeys.authenticate(caller.key, caller.address, scope);
    request.caller = { ...caller, accountId };
    return true;
  }

  private async admit(
    request: FastifyRequest,
    reply: FastifyReply,
    apiKey: string,
    idempotencyKey?: string,
  ): Promise<ApiCaller> {
    const key = this.apiKeys.parse(apiKey);
    const address = request.ip;
    await this.rateLimits.take(key, address, reply);
    return { key, address, idempotencyKey, context: requestContextOf(request) };
  }
}

/** The caller of a route behind {@link ApiKeyGuard}. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): ApiCaller => {
  const { caller } = context.switchToHttp().getRequest<ApiRequest>();
  if (!caller) throw new Error('A route with @Caller() needs the ApiKeyGuard');
  return caller;
});

/** Marks fields as required, for `schema.transform(required('to', 'apikey'))`. Throws `missing_fields` when one is empty. */
export function required<Name extends string>(...names: Name[]) {
  const quoted = names.map((name) => `"${name}"`);
  const detail =
    quoted.length === 1
      ? `Send ${quoted[0]}, which must not be empty.`
      : `Send ${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}, none of them empty.`;
  return <Fields extends { readonly [N in Name]?: string | null | undefined }>(
    fields: Fields,
  ): Fields & { readonly [N in Name]: string } => {
    if (hasAll(fields, names)) return fields;
    throw new DomainError('missing_fields', detail);
  };
}

function hasAll<Name extends string, Fields extends { readonly [N in Name]?: string | null | undefined }>(
  fields: Fields,
  names: readonly Name[],
): fields is Fields & { readonly [N in Name]: string } {
  return names.every((name) => Boolean(fields[name]));
}

const BEARER = /^Bearer +([^ ]+) *$/i;

/** The fields as sent, with the key of `Authorization: Bearer` unless they have one. */
function fieldsOf(request: FastifyRequest, sent: unknown): unknown {
  const fields = sent ?? {};
  if (!isRecord(fields)) return fields;
  const { apikey, to } = fields;
  const bearer = apikey ? undefined : BEARER.exec(request.headers.authorization ?? '')?.[1];
  // In a form, an unescaped + arrives as a space: " 44…" means "+44…".
  const number = typeof to === 'string' && /^ \d/.test(to) && isForm(request) ? `+${to.slice(1)}` : undefined;
  if (bearer === undefined && number === undefined) return fields;
  const isKeyMissing = apikey === undefined || apikey === null || apikey === '';
  return {
    ...fields,
    ...(bearer !== undefined && isKeyMissing && { apikey: bearer }),
    ...(number !== undefined && { to: number }),
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isForm({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.includes('application/x-www-form-urlencoded') ?? false;
}
