import { Catch, Injectable } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { balance as exampleBalance } from '#contract/examples.js';
import { faultText } from '#contract/faults.js';
import type { ApiKey } from '#core/keys/api-key.js';
import { ApiKeys } from '#core/keys/api-keys.js';
import { isDatabaseUnavailable } from '#core/platform/errors/database-error.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import type { RequestContext } from '#core/platform/telemetry/request-context.js';
import { requestContextOf } from '../http/request-hooks.js';
import { ApiRateLimits } from '../http/rate-limits.js';
import { INCOMPLETE, textbeltError } from './error-shapes.js';

/**
 * Answers every error with status 200 and `success: false`, as Textbelt does; 429 and 5xx keep
 * their status.
 */
@Catch()
export class TextbeltErrors implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const reply = http.getResponse<FastifyReply>();
    const failure = error instanceof DomainError ? error : failureOf(error);
    if (failure.status >= 500)
      this.logger.error({ requestId: http.getRequest<FastifyRequest>().id, err: error }, 'request failed');
    if (failure.retryAfterSeconds !== undefined) reply.header('Retry-After', String(failure.retryAfterSeconds));
    const { status, body } = textbeltError(failure);
    void reply.header('Cache-Control', 'no-store').status(status).send(body);
  }
}

function failureOf(error: unknown): DomainError {
  if (isDatabaseUnavailable(error))
    return new DomainError('unavailable', 'The service is temporarily unavailable. Try again.', { cause: error });
  return new DomainError('internal', 'Something went wrong on our side. You were not charged.', { cause: error });
}

export const text = z.string().optional();
/** A JSON body may send digits as a number. */
export const number = z.union([z.string(), z.number()]).transform(String).optional();

interface Caller {
  readonly key: ApiKey;
  readonly address: string;
  readonly context: RequestContext;
}

/** Identifies callers: every route has the key as a field of its own. */
@Injectable()
export class TextbeltCallers {
  constructor(
    private readonly apiKeys: ApiKeys,
    private readonly rateLimits: ApiRateLimits,
  ) {}

  /** Counts the request against the limits of its key. */
  async admit(apiKey: string, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    const key = this.apiKeys.parse(apiKey);
    const address = request.ip;
    await this.rateLimits.takeKey(key, reply);
    return { key, address, context: requestContextOf(request) };
  }
}

/** A test key must not reveal the account's balance. */
export function quotaOf({ test, balance }: { readonly test: boolean; readonly balance: number }): number {
  return test ? exampleBalance.balance : balance;
}

export function incomplete(): DomainError {
  return new DomainError('missing_fields', INCOMPLETE);
}

export function invalid(detail: string): DomainError {
  return new DomainError('invalid_request', detail);
}

/** Throws an error that names the parameters which are not supported. */
export function parsed<T>(schema: z.ZodType<T>, fields: unknown): T {
  const result = schema.safeParse(fields ?? {}, { error: faultText });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  if (issue?.code === 'unrecognized_keys')
    throw invalid(`Not supported: ${issue.keys.slice(0, 5).join(', ')}. Nothing was sent.`);
  if (!issue?.path.length) throw invalid('The body is neither a JSON object nor a form.');
  throw invalid(`${issue.path.join('.')}: ${issue.message}.`);
}
