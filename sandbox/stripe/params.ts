import { z } from 'zod';
import { invalidRequest, type StripeError } from './stripe-error.js';

/** A form with nested names as a tree. */
export type FormTree = string | readonly FormTree[] | { readonly [name: string]: FormTree };

type Branch = Map<string, Branch | string>;

/**
 * Parses a form with nested names, as Stripe's SDKs send it: `a[b]=1`, `list[0][c]=2`,
 * `expand[]=d`.
 */
export function formTree(form: URLSearchParams): FormTree {
  const root: Branch = new Map();
  for (const [name, value] of form) {
    const keys = name.replaceAll(']', '').split('[');
    const last = keys.pop() ?? '';
    let branch = root;
    for (const key of keys) {
      const child = branch.get(key);
      const next: Branch = child instanceof Map ? child : new Map();
      branch.set(key, next);
      branch = next;
    }
    // `expand[]` appends at the next index.
    branch.set(last === '' ? String(branch.size) : last, value);
  }
  return treeOf(root, {});
}

function treeOf(branch: Branch, empty: FormTree): FormTree {
  if (branch.size === 0) return empty;
  const entries = [...branch].map(
    ([key, child]) => [key, typeof child === 'string' ? child : treeOf(child, '')] as const,
  );
  // fromEntries defines own properties, so `__proto__` is an ordinary name.
  return entries.every(([key]) => /^\d+$/.test(key)) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
}

export const integer = z
  .string()
  .regex(/^-?\d{1,12}$/, 'Invalid integer')
  .transform(Number);
/** Stripe's limits: 50 keys of 40 characters, values of 500. */
export const metadata = z
  .record(z.string().max(40), z.string().max(500))
  .refine((pairs) => Object.keys(pairs).length <= 50, 'Metadata can have up to 50 keys.');
export const url = z.url({ protocol: /^https?$/, error: 'Not a valid URL' });

/** Parses parameters by a schema. Throws Stripe's error for the first invalid parameter. */
export function readParams<S extends z.ZodType>(schema: S, tree: unknown): z.output<S> {
  const parsed = schema.safeParse(tree);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw issue === undefined ? invalidRequest('Invalid request.') : explain(issue, tree);
}

const CODES: Readonly<Record<string, string>> = {
  'Invalid integer': 'parameter_invalid_integer',
  'Not a valid URL': 'url_invalid',
};

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
  return invalidRequest(`Invalid ${param}: ${issue.message}`, {
    code: CODES[issue.message] ?? 'parameter_invalid',
    param,
  });
}

function nameOf(path: readonly PropertyKey[]): string {
  return path.map(String).reduce((name, key) => `${name}[${key}]`);
}
