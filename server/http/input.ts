import { createParamDecorator, Injectable } from '@nestjs/common';
import type { ArgumentMetadata, ExecutionContext, PipeTransform } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { faultText } from '#contract/faults.js';
import { limits } from '#contract/limits.js';
import { numberOfDigits } from '#contract/whole-numbers.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { headerText } from './boundary-text.js';
import { fieldsOfBody, UnreadBody } from './unread-body.js';

/** Faults of one request that its error lists; a bulk may have thousands. */
const FAULTS_SHOWN_MAX = 20;

/**
 * Reads the body, which guards leave unread, and validates every parameter that names a schema, as
 * `@Body({ schema: checkoutBody })`; a request without a body has no fields. Throws
 * `invalid_request`, naming each invalid field.
 */
@Injectable()
export class ContractPipe implements PipeTransform {
  transform(given: unknown, { schema }: ArgumentMetadata): unknown {
    const value = fieldsOfBody(given);
    if (schema === undefined) return value;
    if (!(schema instanceof z.ZodType)) throw new TypeError('A parameter has a schema that is not of the contract');
    return parseInput(schema, value ?? {});
  }
}

/**
 * Removes the empty fields of a form: a form sends an empty field for a field that was left out.
 */
function filledFields(fields: unknown): unknown {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return fields;
  for (const value of Object.values(fields))
    if (value === '') return Object.fromEntries(Object.entries(fields).filter(([, filled]) => filled !== ''));
  return fields;
}

/** The fields of a call with an API key. */
export function fieldsOfApiBody(body: unknown): unknown {
  const fields = fieldsOfBody(body);
  return body instanceof UnreadBody && body.isForm ? filledFields(fields) : fields;
}

/** Parses a value outside of {@link ContractPipe}, and throws the same errors. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value, { error: faultText });
  if (parsed.success) return parsed.data;
  throw invalidRequest(parsed.error.issues);
}

function invalidRequest(issues: readonly z.core.$ZodIssue[]): DomainError {
  /** Shows the first fault of each field: its others follow from it. */
  const byField = new Map<string, string>();
  for (const { path, message } of issues) {
    const field = path.map(String).join('.');
    if (!byField.has(field)) byField.set(field, field === '' ? `The request ${message}` : `${field}: ${message}`);
  }
  const faults = [...byField.values()].slice(0, FAULTS_SHOWN_MAX);
  const hidden = byField.size - faults.length;
  const detail = [...faults, ...(hidden > 0 ? [`${hidden} more`] : [])].join('; ');
  return new DomainError('invalid_request', /[.!?]$/.test(detail) ? detail : `${detail}.`);
}

/**
 * Parses a whole number of a call that costs credits, which a form sends as text; undefined when it
 * is absent. Throws `invalid_request`.
 */
export function wholeNumberOf(
  name: string,
  value: string | number | null | undefined,
  { min, max }: { readonly min: number; readonly max: number },
): number | undefined {
  if (value === undefined || value === null) return undefined;
  const number = typeof value === 'string' ? numberOfDigits(value) : value;
  if (Number.isInteger(number) && number >= min && number <= max) return number;
  throw new DomainError(
    'invalid_request',
    `${name}: must be a whole number from ${min} to ${max.toLocaleString('en-US')}. You were not charged.`,
  );
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
