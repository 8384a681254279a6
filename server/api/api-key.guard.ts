import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ZodType } from 'zod';
import type { KeyScope } from '#contract/account.js';
import { ApiKeys, type NeededScopes } from '#core/keys/api-keys.js';
import { AccountRequests } from '#core/platform/places/account-requests.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { takePlace } from '../http/account-places.js';
import { bearerOf } from '../http/credentials.js';
import { fieldsOfApiBody, idempotencyKeyOf, parseInput } from '../http/input.js';
import { requestContextOf } from '../http/request-hooks.js';
import { ApiRateLimits } from '../http/rate-limits.js';
import { UnreadBody } from '../http/unread-body.js';
import type { ApiCaller, ApiRequest } from './api-caller.js';
import { Uploads } from './uploads.js';

type ApiFields = { readonly apikey: string };
type OptionalApiFields = { readonly apikey?: string | undefined };

/**
 * The body of a POST route, which must have an `apikey`. The route reads the parsed fields by
 * `@Body()`, the caller by `@Caller()`.
 */
export const ApiBody = Reflector.createDecorator<ZodType<ApiFields>>();

/**
 * The query of a GET or DELETE route, or the body of a POST or PATCH route about one record, and the
 * scope that it needs. Its caller is an {@link ApiAccount}.
 */
export const ApiQuery = Reflector.createDecorator<{
  schema: ZodType<OptionalApiFields>;
  scope: KeyScope;
  /** True for a change of rows that other changes of the account leave alone: they do not wait for each other. */
  isSeparate?: true;
}>();

/**
 * A POST route with a body of megabytes, and the scopes of which its key needs one. Its caller is an
 * {@link ApiAccount}; the route reads the body itself.
 */
export const ApiUpload = Reflector.createDecorator<NeededScopes>();

/**
 * Guards the public API. The address of every request is counted before
 * (server/http/rate-limits.ts).
 *
 * Bodies of up to `limits.apiBodyBytesMax` are read here, in the order of the error table: an
 * invalid or missing field, then the key's rate limit; the acceptance statement checks the key
 * itself. A longer body is read by its route, after its key was found here. A route with a scope
 * and no long body also waits for a place of its account.
 *
 * Throws `invalid_request`, `missing_fields`, `rate_limited`, and on routes with a scope the errors
 * of {@link ApiKeys.authenticate} and {@link AccountRequests}.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly apiKeys: ApiKeys,
    private readonly rateLimits: ApiRateLimits,
    private readonly uploads: Uploads,
    private readonly places: AccountRequests,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<ApiRequest>();
    const reply = http.getResponse<FastifyReply>();
    const uploadScopes = this.reflector.get(ApiUpload, context.getHandler());
    if (uploadScopes) {
      request.caller = await this.uploads.callerOf(request, reply, uploadScopes);
      return true;
    }
    const bodySchema = this.reflector.get(ApiBody, context.getHandler());
    if (bodySchema) {
      const idempotencyKey = idempotencyKeyOf(request);
      const body = parseInput(bodySchema, withKey(request, fieldsOfApiBody(request.body)));
      if (request.body instanceof UnreadBody) request.sent = request.body;
      request.body = body;
      request.caller = await this.admit(request, reply, body.apikey, idempotencyKey);
      return true;
    }
    const { schema, scope, isSeparate } = this.reflector.get(ApiQuery, context.getHandler());
    const hasBody = request.method === 'POST' || request.method === 'PATCH';
    const query = parseInput(schema, withKey(request, hasBody ? fieldsOfApiBody(request.body) : request.query));
    if (!query.apikey) {
      const detail = `Send the API key as "Authorization: Bearer" or as "apikey" in the ${hasBody ? 'body' : 'query'}.`;
      throw new DomainError('unknown_api_key', detail);
    }
    if (!hasBody) request.query = query;
    const caller = await this.admit(request, reply, query.apikey);
    const account = await this.apiKeys.authenticate(caller.key, caller.address, scope);
    request.caller = { ...caller, ...account };
    await takePlace(this.places, account.accountId, request, reply, isSeparate);
    return true;
  }

  private async admit(
    request: FastifyRequest,
    reply: FastifyReply,
    apiKey: string,
    idempotencyKey?: string,
  ): Promise<ApiCaller> {
    const key = this.apiKeys.parse(apiKey);
    await this.rateLimits.takeKey(key, reply);
    return { key, address: request.ip, idempotencyKey, context: requestContextOf(request) };
  }
}

/**
 * Marks fields as required, for `schema.transform(required('to', 'apikey'))`. Throws
 * `missing_fields` when one is empty.
 */
export function required<Name extends string>(...names: Name[]) {
  return <Fields extends { readonly [N in Name]?: string | null | undefined }>(
    fields: Fields,
  ): Fields & { readonly [N in Name]: string } => {
    if (hasAll(fields, names)) return fields;
    throw new DomainError('missing_fields', missingText(names.filter((name) => !fields[name])));
  };
}

/** Names only the missing fields of all required fields. */
function missingText(missing: readonly string[]): string {
  const quoted = missing.map((name) => `"${name}"`);
  if (quoted.length === 1) return `${quoted[0]} is missing or empty.`;
  return `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)} are missing or empty.`;
}

function hasAll<Name extends string, Fields extends { readonly [N in Name]?: string | null | undefined }>(
  fields: Fields,
  names: readonly Name[],
): fields is Fields & { readonly [N in Name]: string } {
  return names.every((name) => Boolean(fields[name]));
}

/** The fields as sent, with the key of `Authorization: Bearer` unless they have a key. */
function withKey(request: FastifyRequest, sent: unknown): unknown {
  const fields = sent ?? {};
  if (!isRecord(fields) || (fields['apikey'] ?? '') !== '') return fields;
  const bearer = bearerOf(request);
  return bearer === undefined ? fields : { ...fields, apikey: bearer };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
