import { createParamDecorator, Injectable, StandardSchemaValidationPipe } from '@nestjs/common';
import type { ArgumentMetadata, ExecutionContext, PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { z, ZodType } from 'zod';
import { limits } from '#contract/limits.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { isSendableText } from '#core/rules/message-text.js';

/**
 * Validates every parameter that names a schema, as `@Body({ schema: checkoutBody })`; a request without a body has no
 * fields. Throws `invalid_request`, naming each invalid field.
 */
@Injectable()
export class ContractPipe implements PipeTransform {
  private readonly pipe = new StandardSchemaValidationPipe({ exceptionFactory: invalidRequest });

  transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    return this.pipe.transform<unknown>(metadata.schema ? (value ?? {}) : value, metadata);
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
  const faults = issues.map(({ path = [], message }) => {
    const field = path.map((segment) => String(typeof segment === 'object' ? segment.key : segment)).join('.');
    return field === '' ? message : `${field}: ${message}`;
  });
  return new DomainError('invalid_request', faults.join('; '));
}

/** A check of schemas: rejects text that cannot be stored or sent. */
export function sendable<Fields extends object>(...names: (keyof Fields)[]): z.core.CheckFn<Fields> {
  return ({ value, issues }) => {
    for (const name of names) {
      const text = value[name];
      if (typeof text !== 'string' || isSendableText(text)) continue;
      const message = 'contains a NUL character or half a surrogate pair';
      issues.push({ code: 'custom', input: text, path: [String(name)], message });
    }
  };
}

/** The request's Idempotency-Key; undefined without one. Throws `invalid_request`. */
export const IdempotencyKey = createParamDecorator((_data: unknown, context: ExecutionContext): string | undefined =>
  idempotencyKeyOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && key !== '' && key.length <= limits.idempotencyKeyCharactersMax) return key;
  throw new DomainError(
    'invalid_request',
    `Idempotency-Key must have 1 to ${limits.idempotencyKeyCharactersMax} characters.`,
  );
}
