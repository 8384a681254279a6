import { z } from 'zod';
import { parsedUrl } from '../http.js';
import { invalidRequest, type StripeError } from './stripe-error.js';

/** A form with nested names as a tree. */
type FormTree = string | readonly FormTree[] | { readonly [name: string]: FormTree };

interface Branch {
  readonly children: Map<string, Branch>;
  value: string | undefined;
}

const DEPTH_MAX = 8;

/** Parses a form with nested names, as Stripe's SDKs send it: `a[b]=1`, `list[0][c]=2`, `expand[]=d`. */
export function formTree(form: URLSearchParams): { readonly [name: string]: FormTree } {
  const root: Branch = { children: new Map(), value: undefined };
  for (const [name, value] of form) {
    let branch = root;
    for (const key of keysOf(name)) {
      // `expand[]` appends at the next index.
      const at = key === '' ? String(branch.children.size) : key;
      let child = branch.children.get(at);
      if (child === undefined) branch.children.set(at, (child = { children: new Map(), value: undefined }));
      branch = child;
    }
    branch.value = value;
  }
  return objectOf(root);
}

function keysOf(name: string): string[] {
  const [, first = name, rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  return [first, ...[...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, key = '']) => key)].slice(0, DEPTH_MAX);
}

function treeOf(branch: Branch): FormTree {
  if (branch.children.size === 0) return branch.value ?? '';
  const keys = [...branch.children.keys()];
  if (keys.every((key) => /^\d+$/.test(key))) return [...branch.children.values()].map(treeOf);
  return objectOf(branch);
}

// fromEntries defines own properties, so `__proto__` is an ordinary name.
function objectOf(branch: Branch): { readonly [name: string]: FormTree } {
  return Object.fromEntries([...branch.children].map(([key, child]) => [key, treeOf(child)]));
}

const INTEGER_MAX = 99_999_999;

/** An integer. */
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
/** Stripe's limits: 50 keys of 40 characters, values of 500. An empty value removes its key. */
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
/** A parameter that is accepted and ignored. */
export const inert = z.custom<FormTree>(() => true).optional();

/** Parses parameters by a schema. Throws Stripe's error for the first invalid one. */
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
