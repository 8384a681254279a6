import { z } from 'zod';

/** Lists the violations of a table, one line each with the path of the field. */
export function describeIssues(kind: string, table: z.ZodType, value: unknown): string[] {
  const { error } = table.safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => `${[kind, ...path].join('.')}: ${message}`);
}

// Building blocks of the tables of published fields. Objects that the sandbox never returns are `nothing` (always null) or,
// where optional, missing in the table: to return one, extend its table first.

export const text = z.string();
export const whole = z.int();
export const yesOrNo = z.boolean();
/** Seconds since 1970. */
export const instant = z.int().min(1_000_000_000).max(9_999_999_999);
export const decimal = z.string().regex(/^-?\d+(\.\d+)?$/);
export const currency = z.string().regex(/^[a-z]{3}$/);
export const metadata = z.record(z.string(), z.string());
export const nothing = z.null();
export const empty = z.array(z.never());

/** Any object with a type; its own table is checked separately. */
export const thing = z.looseObject({ object: z.string() });

export function object(...kinds: readonly [string, ...string[]]) {
  return z.looseObject({ object: z.enum(kinds) });
}

/** An id or the expanded object. */
export function expandable(...kinds: readonly [string, ...string[]]) {
  return z.union([z.string().min(1), object(...kinds)]);
}

/** An id with a prefix, as in all of Stripe's examples. */
export function idOf(...prefixes: readonly [string, ...string[]]) {
  return z.string().refine((id) => prefixes.some((prefix) => id.startsWith(prefix)), {
    error: `must begin with ${prefixes.join(' or ')}`,
  });
}
