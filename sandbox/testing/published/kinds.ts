import { z } from 'zod';

/** What a table finds wrong with a value, one line each, with the way to the field. */
export function describeIssues(kind: string, table: z.ZodType, value: unknown): string[] {
  const { error } = table.safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => `${[kind, ...path].join('.')}: ${message}`);
}

// What the tables of published fields are made of. An object that a description allows and the sandbox never answers with is
// `nothing` (always null) or, where it may be absent, not in the table: to answer it, the table must learn it first.

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

/** Any object that says what it is; its own table is applied to it beside this one. */
export const thing = z.looseObject({ object: z.string() });

export function object(...kinds: readonly [string, ...string[]]) {
  return z.looseObject({ object: z.enum(kinds) });
}

/** An id, or in its place the object itself. */
export function expandable(...kinds: readonly [string, ...string[]]) {
  return z.union([z.string().min(1), object(...kinds)]);
}

/** The prefix is not in Stripe's description but in all of its examples. */
export function idOf(...prefixes: readonly [string, ...string[]]) {
  return z.string().refine((id) => prefixes.some((prefix) => id.startsWith(prefix)), {
    error: `must begin with ${prefixes.join(' or ')}`,
  });
}
