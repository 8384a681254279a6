import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorPlace, errorText, publicCode } from '#contract/errors.js';
import type { FailureAnswer, FixedCall } from '#contract/messages.js';
import { isDatabaseUnavailable } from '#core/platform/errors/database-error.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { Logger } from '#core/platform/telemetry/logger.js';
import { FixedCalls } from '../api/fixed-call.js';
import { shapedError, type ShapedError } from '../compatible/error-shapes.js';
import { BuiltPages } from '../pages/built-pages.js';
import { answerHeaders, compatibleRoutes, isDataRequest } from './request-hooks.js';

/** Routes that our own pages call for a signed-in user. */
const pageRoutes = /^\/(auth|api\/(dashboard|checkout|redeemcode|welcomeemail))(\/|\?|$)/;
/** Calls that send a message or a code, or show its price; and `verifyotp`, which is specified with them. */
const sendingRoutes = /^\/api\/(send(sms|otp|bulk)|resendotp|verifyotp|quote)(\/|\?|$)/;

/**
 * Maps every error to the catalogue's status and text, a code and a detail. Causes are only logged.
 */
@Catch()
export class FailureFilter implements ExceptionFilter {
  constructor(
    private readonly logger: Logger,
    private readonly pages: BuiltPages,
    private readonly fixedCalls: FixedCalls,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    const failure = domainErrorOf(error, request);
    void this.answer(failure, request, reply);
  }

  private async answer(failure: DomainError, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const answer = failureHandler(this.logger, this.pages);
    try {
      answer(failure, request, reply, await this.fixedCalls.of(failure, request));
    } catch (fault) {
      answer(fault, request, reply);
    }
  }
}

/** Returns what answers a failed request, also of the routes that Nest does not know. */
export function failureHandler(logger: Logger, pages: BuiltPages) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply, fix?: FixedCall): void => {
    const failure = domainErrorOf(error, request);
    if (failure.status >= 500)
      logger.error({ requestId: request.id, code: failure.code, err: failure.cause ?? failure }, 'request failed');
    else if (isRejectedCallback(failure, request))
      logger.warn(
        { requestId: request.id, code: failure.code, bytes: Number(request.headers['content-length']) || null },
        'callback of a provider rejected',
      );
    if (failure.code === 'not_found' && !isApiRequest(request)) {
      pages.sendNotFound(request, reply);
      return;
    }
    reply.headers(retryAfter(failure));
    const { status, body } = answerOf(failure, request, fix);
    void reply.header('Cache-Control', 'no-store').status(status).send(body);
  };
}

/**
 * Returns a handler that answers a URL which Fastify cannot decode in the same shape, or with the
 * page for unknown paths. No hook sees such a request, so it counts the address by itself.
 */
export function frameworkErrors(publicUrl: string, pages: BuiltPages, count: (address: string) => Promise<void>) {
  const headers = { ...answerHeaders(publicUrl), 'Cache-Control': 'no-store' };
  const answer = async (error: Error, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.headers({ ...headers, 'X-Request-Id': request.id });
    const failure = domainErrorOf((await refusalOf(count(request.ip))) ?? error, request);
    if (failure.status === 400 && !isDataRequest(request.url)) return pages.sendNotFound(request, reply);
    const { status, body } = answerOf(failure, request);
    await reply.headers(retryAfter(failure)).status(status).send(body);
  };
  return (error: Error, request: FastifyRequest, reply: FastifyReply): void => void answer(error, request, reply);
}

async function refusalOf(counted: Promise<void>): Promise<unknown> {
  try {
    await counted;
    return undefined;
  } catch (refusal) {
    return refusal;
  }
}

function retryAfter({ retryAfterSeconds }: DomainError): Record<string, string> {
  return retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
}

function answerOf(failure: DomainError, request: FastifyRequest, fix?: FixedCall): ShapedError {
  const shaped = shapedError(request.url, failure);
  if (shaped) return shaped;
  const { code, detail, facts, status } = failure;
  const error = errorText(code, detail, placeOf(request.url));
  const body: FailureAnswer = {
    success: 'false',
    error,
    code: publicCode(code),
    detail,
    ...facts,
    ...(fix && { fix }),
  };
  return { status, body };
}

function placeOf(url: string): ErrorPlace {
  if (pageRoutes.test(url)) return 'page';
  return sendingRoutes.test(url) ? 'sending' : 'other';
}

function domainErrorOf(error: unknown, request: FastifyRequest): DomainError {
  if (error instanceof DomainError) return error;
  const status = statusOf(error);
  if (status === 404)
    return new DomainError('not_found', `There is nothing at ${request.method} ${request.url.split('?')[0]}.`);
  if (status === 413) return new DomainError('body_too_large', 'The body is too large.');
  if (status >= 400 && status < 500)
    return new DomainError('invalid_request', 'The request cannot be read.', { cause: error });
  if (isDatabaseUnavailable(error)) {
    const detail = 'The service is temporarily unavailable. Try again.';
    return new DomainError('unavailable', detail, { cause: error, retryAfterSeconds: 1 });
  }
  return new DomainError('internal', 'Something went wrong on our side. You were not charged.', { cause: error });
}

/** Fastify's errors have `statusCode`, Nest's `getStatus()`. */
function statusOf(error: unknown): number {
  if (error instanceof HttpException) return error.getStatus();
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : 500;
}

/**
 * Returns whether the failed request is a callback of a carrier or Stripe, except those with an
 * invalid signature, which are logged elsewhere.
 */
function isRejectedCallback({ code }: DomainError, request: FastifyRequest): boolean {
  return (
    /^\/webhooks\/(stripe|twilio|telnyx)(\/|\?|$)/.test(request.url) &&
    code !== 'invalid_signature' &&
    code !== 'not_found'
  );
}

function isApiRequest(request: FastifyRequest): boolean {
  return /^\/(api|auth|webhooks)(\/|$|\?)/.test(request.url) || compatibleRoutes.test(request.url);
}
