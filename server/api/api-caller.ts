import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiKeys, type PresentedKey } from '#core/accounts/api-keys.js';
import { AuthenticateKey } from '#core/accounts/authenticate-key.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { RateLimits } from './rate-limits.js';

const BEARER = /^Bearer +([^ ]+) *$/i;

/** Who calls the API: the key he presents, within the limits of key and address. */
@Injectable()
export class ApiCaller {
  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly authenticateKey: AuthenticateKey,
    private readonly rateLimits: RateLimits,
  ) {}

  /** The key of `Authorization: Bearer`, which stands in for a field of body or query; undefined without either. */
  keyOf(request: FastifyRequest, field: string | null | undefined): string | undefined {
    return field || BEARER.exec(request.headers.authorization ?? '')?.[1];
  }

  /** Counts the request and sets the RateLimit headers. Throws `rate_limited`. */
  async admit(request: FastifyRequest, reply: FastifyReply, apiKey: string): Promise<PresentedKey> {
    const key = this.apiKeys.present(apiKey);
    await this.rateLimits.take(key, request.ip, reply);
    return key;
  }

  /** The account behind a call that only reads. Throws `unknown_api_key` also when there is no key at all. */
  async accountOf(request: FastifyRequest, reply: FastifyReply, field: string | undefined): Promise<string> {
    const apiKey = this.keyOf(request, field);
    if (!apiKey)
      throw new DomainError(
        'unknown_api_key',
        'Send the API key as "Authorization: Bearer" or as "apikey" in the query.',
      );
    const key = await this.admit(request, reply, apiKey);
    const { accountId } = await this.authenticateKey.run(key, request.ip);
    return accountId;
  }
}
