import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import * as examples from '../../contract/examples.js';

/** Name of an answer or event in contract/examples.ts. */
const exampleName = z.enum(Object.keys(examples) as [keyof typeof examples]);
const examplesByName = new Map<string, unknown>(Object.entries(examples));
const headers = z.record(z.string(), z.string());

/** An answer of the service, which is played `times` times in a row. */
const answer = z.strictObject({
  times: z.int().min(1).default(1),
  status: z.int().min(200).max(599).default(200),
  headers: headers.default({}),
  /** The body: JSON, an example of the contract, a text, or one text again and again. */
  body: z.json().optional(),
  example: exampleName.optional(),
  text: z.string().optional(),
  repeated: z.strictObject({ text: z.string().min(1), bytes: z.int().positive() }).optional(),
  /** The body is compressed for a client that takes gzip. */
  gzip: z.literal(true).optional(),
  /** Time between two bytes of the body. */
  pace_ms: z.int().positive().optional(),
  /** Sent instead of an HTTP answer, and then the connection ends. */
  raw: z.string().optional(),
  delay_ms: z.int().positive().optional(),
  /** Place where the connection ends. */
  drop: z.enum(['before_headers', 'after_headers', 'mid_body']).optional(),
});

/** An expected request, which is the same for `times` tries. */
const request = z.strictObject({
  times: z.int().min(1).default(1),
  method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']),
  /** The path as it is on the wire, without the query. */
  path: z.string().startsWith('/'),
  query: headers.default({}),
  headers: headers.default({}),
  body: z.json().optional(),
  /** Bytes of the field `file` of a form, in base64. */
  file: z.base64().optional(),
  /** `is`: the value. `label`: requests with one label have one key, others have others. Without it: no key. */
  idempotency_key: z.union([z.strictObject({ is: z.string() }), z.strictObject({ label: z.string() })]).optional(),
});

/** The error of a call. Fields that a case leaves out are not compared. */
const failure = z.strictObject({
  code: z.string(),
  status: z.int().nullable().optional(),
  detail: z.string().optional(),
  request_id: z.string().nullable().optional(),
  retry_after: z.int().nullable().optional(),
  fix: z.json().optional(),
  outcome_unknown: z.boolean().optional(),
  /** `sent`: the key of the requests. */
  idempotency_key: z.union([z.literal('sent'), z.null()]).optional(),
});

const expectation = z.strictObject({
  requests: z.array(request),
  /** Shortest and longest time of each wait, in seconds. */
  waits: z.array(z.tuple([z.number(), z.number()])).optional(),
  /** Fields that the result must have; a result may have more. */
  result: z.json().optional(),
  example: exampleName.optional(),
  error: failure.optional(),
  /** The client or the call refuses its arguments as its language does (TypeError, ValueError …). */
  refused: z.literal(true).optional(),
  /** The call ends as a canceled call does in its language. */
  canceled: z.literal(true).optional(),
  /** Bytes of an answer that a client may take before it gives up. */
  sent_bytes_max: z.int().optional(),
  within_ms: z.int().default(5_000),
});

export const callNames = [
  'send',
  'send_bulk',
  'quote',
  'quote_otp',
  'balance',
  'messages.get',
  'messages.list',
  'messages.cancel',
  'batches.get',
  'batches.cancel',
  'otp.send',
  'otp.resend',
  'otp.verify',
  'totp.create',
  'totp.verify',
  'totp.recovery_codes',
  'media.upload',
  'optouts.list',
  'webhooks.verify',
] as const;

const call = z.strictObject({
  name: z.enum(callNames),
  arguments: z.record(z.string(), z.json()).default({}),
  idempotency_key: z.string().optional(),
  /** Number of items that are read of a list; without it, all. */
  take: z.int().positive().optional(),
  /** Calls in a row, by one client. The outcome of the last call counts. */
  times: z.int().min(1).default(1),
});

const conformanceCase = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
    /** The sentence of a rule, where the name does not say enough. */
    about: z.string().optional(),
    /**
     * A runner passes over cases that need what its language does not have: cancellation of a call,
     * arguments whose types no compiler checks, and empty arguments that are other than none.
     */
    needs: z.enum(['cancellation', 'untyped_arguments', 'empty_arguments']).optional(),
    client: z
      .strictObject({
        /** Null: the client is made without it. */
        api_key: z.string().nullable().default('conformance-7f3a9c51e2'),
        base_url: z.string().nullable().default('{{service}}'),
        max_retries: z.int().optional(),
        timeout_ms: z.int().optional(),
        deadline_ms: z.int().optional(),
      })
      .prefault({}),
    environment: z.strictObject({ PENNYTEXT_API_KEY: z.string(), PENNYTEXT_URL: z.string() }).partial().default({}),
    call,
    /** `try`: while the service is silent. `wait`: while the client waits for its next try. */
    cancel: z.enum(['try', 'wait']).optional(),
    script: z.array(answer).default([]),
    expect: expectation,
  })
  .refine(({ expect: { result, example, error, refused, canceled } }) => {
    const ends = [result ?? example, refused, canceled].filter((end) => end !== undefined).length;
    return error === undefined ? ends === 1 : ends === 0 || result !== undefined;
  }, 'A case ends with a result, an error, a refusal or a cancellation.');

export type ConformanceCase = z.infer<typeof conformanceCase>;
export type ScriptedAnswer = z.infer<typeof answer>;
export type ExpectedRequest = z.infer<typeof request>;
export type ExpectedFailure = z.infer<typeof failure>;

/** Reads the cases of a file. Throws for a file that does not match the schema of a case. */
export function casesIn(file: string): ConformanceCase[] {
  return expanded(z.array(conformanceCase).parse(JSON.parse(readFileSync(file, 'utf8')))) as ConformanceCase[];
}

export function caseFiles(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return names.sort().map((name) => join(folder, name));
}

/** An answer or event of contract/examples.ts, as it is on the wire. */
export function exampleOf(name: keyof typeof examples): object {
  const value = examplesByName.get(name);
  if (typeof value !== 'object' || value === null) throw new Error(`${name} is no answer.`);
  return value;
}

/** Replaces `{"$times": 3, "of": …}` by a list of so many; `{n}` in its texts is the place in the list. */
function expanded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expanded);
  if (typeof value !== 'object' || value === null) return value;
  const { $times: times, of } = value as { readonly $times?: unknown; readonly of?: unknown };
  if (typeof times === 'number') return Array.from({ length: times }, (_none, n) => expanded(numbered(of, n)));
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, expanded(field)]));
}

function numbered(value: unknown, n: number): unknown {
  return JSON.parse(JSON.stringify(value).replaceAll('{n}', String(n).padStart(4, '0')));
}
