import { Injectable, type PipeTransform } from '@nestjs/common';
import type { ZodType } from 'zod';
import { DomainError } from '#core/platform/errors/domain-error.js';

/** Parses what a caller sent against the contract. Throws `invalid_request`, naming each field at fault. */
@Injectable()
export class ContractPipe<T> implements PipeTransform<unknown, T> {
  constructor(private readonly shape: ZodType<T>) {}

  transform(value: unknown): T {
    const parsed = this.shape.safeParse(value ?? {});
    if (parsed.success) return parsed.data;
    const faults = parsed.error.issues.map(({ path, message }) =>
      path.length > 0 ? `${path.join('.')}: ${message}` : message,
    );
    throw new DomainError('invalid_request', faults.join('; '));
  }
}
