import { createParamDecorator, Injectable, StandardSchemaValidationPipe } from '@nestjs/common';
import type { ArgumentMetadata, ExecutionContext, PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ZodType } from 'zod';
import { limits } from '#contract/limits.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { headerText } from './boundary-text.js';
import { fieldsOfBody } from './unread-body.js';

/** Faults of one request that its error lists; a bulk may have thousands. */
const FAULTS_SHOWN_MAX = 20;

/**
 * Reads the body, which guards leave unread, and validates every parameter that names a schema, as
 * `@Body({ schema: checkoutBody })`; a request without a body has no fields. Throws
 * `invalid_request`, naming each invalid field.
 */
@Injectable()
export class ContractPipe implements PipeTransform {
  private readonly pipe = new StandardSchemaValidationPipe({ exceptionFactory: invalidRequest });

  transform(given: unknown, metadata: ArgumentMetadata): unknown {
    const value = fieldsOfBody(given);
    return metadata.schema ? this.pipe.transform<unknown>(value ?? {}, metadata) : value;
  }
}

/** Parses a value outside of {@link ContractPipe}. Throws as it does. */
export function parseInput<T>(schema: ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidRequest(parsed.error.issues);
}

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

function invalidRequest(issues: readonly Issue[]): DomainError {
  const faults = issues.slice(0, FAULTS_SHOWN_MAX).map(({ path = [], message }) => {
    const field = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment)).join('.');
    return field === '' ? message : `${field}: ${message}`;
  });
  const hidden = issues.length - faults.length;
  return new DomainError('invalid_request', [...faults, ...(hidden > 0 ? [`${hidden} more`] : [])].join('; '));
}

/**
 * Parses a whole number, which a form sends as text; undefined when it is absent. Throws
 * `invalid_request`.
 */
export function wholeNumberOf(
  name: string,
  value: string | number | null | undefined,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' && !/^\d{1,15}$/.test(value) ? Number.NaN : Number(value);
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  throw new DomainError('invalid_request', `${name}: a whole number from ${min} to ${max}.`);
}

/** The request's Idempotency-Key; undefined without one. Throws `invalid_request`. */
export const IdempotencyKey = createParamDecorator((_data: unknown, context: ExecutionContext): string | undefined =>
  idempotencyKeyOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const sent = headers['idempotency-key'];
  if (sent === undefined) return undefined;
  const key = typeof sent === 'string' ? headerText(sent) : undefined;
  if (key && key.length <= limits.idempotencyKeyCharactersMax) return key;
  throw new DomainError(
    'invalid_request',
    `Idempotency-Key must have 1 to ${limits.idempotencyKeyCharactersMax} characters, in UTF-8.`,
  );
}
