import { z } from 'zod';
import type { FormTree } from './form-tree.js';
import { invalidRequest, type StripeError } from './stripe-error.js';
import { parsedUrl } from '../parsed-url.js';

const INTEGER_MAX = 99_999_999;

/** A whole number of a form; amounts have up to eight digits. */
export const integer = z
  .string()
  .regex(/^-?\d{1,12}$/, 'Invalid integer')
  .transform(Number);
export const amount = integer.pipe(
  z
    .number()
    .min(0, 'This value must be greater than or equal to 0.')
    .max(INTEGER_MAX, `This value must be less than or equal to ${INTEGER_MAX}.`),
);
export const flag = z.enum(['true', 'false'], 'Invalid boolean').transform((text) => text === 'true');
export const currency = z
  .string()
  .toLowerCase()
  .regex(/^[a-z]{3}$/, 'Invalid currency');
export const text = z.string().max(5_000, 'Invalid string: it is too long.');
/** Stripe's limits: 50 pairs, keys of 40 characters, values of 500. An empty value removes its key. */
export const metadata = z
  .record(
    z.string().max(40, 'Metadata keys can have up to 40 characters.'),
    z.string('Metadata values must be strings.').max(500, 'Metadata values can have up to 500 characters.'),
  )
  .refine((pairs) => Object.keys(pairs).length <= 50, 'Metadata can have up to 50 keys.')
  .transform((pairs) => Object.fromEntries(Object.entries(pairs).filter(([, value]) => value !== '')));
export const url = z
  .string()
  .refine((given) => /^https?:\/\//i.test(given) && parsedUrl(given) !== undefined, 'Not a valid URL');
export const list = {
  limit: integer.pipe(z.number().min(1).max(100)).default(10),
  starting_after: z.string().optional(),
  ending_before: z.string().optional(),
};
/** Something that Stripe takes and this stand-in does nothing with. */
export const inert = z.custom<FormTree>(() => true).optional();

/** Reads parameters by a schema. Throws the first fault as Stripe would say it. */
export function readParams<S extends z.ZodType>(schema: S, tree: unknown): z.output<S> {
  const parsed = schema.safeParse(tree);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw issue === undefined ? invalidRequest('Invalid request.') : explain(issue, tree);
}

function explain(issue: z.core.$ZodIssue, tree: unknown): StripeError {
  if (issue.code === 'unrecognized_keys') {
    const param = nameOf([...issue.path, issue.keys[0] ?? '']);
    return invalidRequest(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param });
  }
  const param = nameOf(issue.path);
  const given = issue.path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)[key], tree);
  if (given === undefined || given === '') {
    return invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param });
  }
  if (issue.message === 'Invalid integer') {
    return invalidRequest(`Invalid integer: ${JSON.stringify(given)}`, { code: 'parameter_invalid_integer', param });
  }
  if (issue.message === 'Not a valid URL') return invalidRequest('Not a valid URL', { code: 'url_invalid', param });
  return invalidRequest(`Invalid ${param}: ${issue.message}`, { param });
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.map(String).reduce((name, key) => `${name}[${key}]`);
}
