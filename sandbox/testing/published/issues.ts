import type { z } from 'zod';

/** What a table finds wrong with a value, one line each, with the way to the field. */
export function describeIssues(kind: string, table: z.ZodType, value: unknown): string[] {
  const { error } = table.safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => `${[kind, ...path].join('.')}: ${message}`);
}
