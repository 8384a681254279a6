import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { type ConformanceCase, exampleOf, type ExpectedFailure, type ExpectedRequest } from './case.js';
import type { MockService, RecordedRequest } from './mock-service.js';

/** Outcome of a case's call, as a runner reports it. */
export const outcome = z.strictObject({
  /** With names as on the wire, and times as RFC 3339. Of a list: its items, also before an error. */
  result: z.unknown().optional(),
  error: z
    .strictObject({
      code: z.string(),
      detail: z.string(),
      status: z.number().nullable(),
      request_id: z.string().nullable(),
      retry_after: z.number().nullable(),
      fix: z.unknown(),
      outcome_unknown: z.boolean(),
      idempotency_key: z.string().nullable(),
      /** `is(code)` is true for the error's own code and false for another. */
      is: z.boolean(),
    })
    .optional(),
  refused: z.boolean().optional(),
  canceled: z.boolean().optional(),
  /** Waits between tries, in seconds. The runner replaces the client's clock, which does not wait. */
  waits: z.array(z.number()),
  /** Every text that a program could print: of the client, of the error with its causes, of the log. */
  texts: z.array(z.string()),
  elapsed_ms: z.number(),
});
export type Outcome = z.infer<typeof outcome>;

const USER_AGENT = /^pennytext-[a-z]+\/\d+\.\d+\.\d+ \([^()]+\)$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Returns the differences between a case and what happened; none if the client conforms. */
export async function differencesOf(one: ConformanceCase, mock: MockService, ran: Outcome): Promise<string[]> {
  const { expect, client, environment } = one;
  const wanted = expect.requests.flatMap((request) => Array.from({ length: request.times }, () => request));
  const key = client.api_key ?? environment.PENNYTEXT_API_KEY ?? '';
  const secrets = [key, ...secretsOf(one.call.arguments)].map((secret) => secret.replace(/^whsec_|[\r\n].*$/gs, ''));
  const compared = wanted.map((request, n) => requestDifferences(request, mock.requests[n], key, `request ${n + 1}`));
  return [
    ...(wanted.length === mock.requests.length ? [] : [`${mock.requests.length} requests, not ${wanted.length}`]),
    ...(await Promise.all(compared)).flat(),
    ...keyDifferences(wanted, mock.requests),
    ...mock.strayRequests.map((stray) => `a request to another host: ${stray}`),
    ...endDifferences(one, ran, mock.requests),
    ...waitDifferences(expect.waits, ran.waits),
    ...secrets
      .filter((secret) => secret !== '' && ran.texts.join('\n').includes(secret))
      .map((secret) => `a text contains ${secret}`),
    ...(mock.sentBytes > (expect.sent_bytes_max ?? Infinity)
      ? [`${mock.sentBytes} bytes of the answer were read`]
      : []),
    ...(ran.elapsed_ms > expect.within_ms ? [`it took ${Math.round(ran.elapsed_ms)} ms`] : []),
  ];
}

function secretsOf({ secret, secrets }: Readonly<Record<string, unknown>>): string[] {
  return [secret, secrets].flat().filter((value): value is string => typeof value === 'string');
}

async function requestDifferences(
  wanted: ExpectedRequest,
  got: RecordedRequest | undefined,
  key: string,
  where: string,
): Promise<string[]> {
  if (!got) return [];
  const { method, path, query, headers } = got;
  const isJson = headers['content-type']?.startsWith('application/json') ?? false;
  return [
    ...unequal(`${where}: method`, wanted.method, method),
    ...unequal(`${where}: path`, wanted.path, path),
    ...unequal(`${where}: query`, wanted.query, query),
    ...unequal(`${where}: authorization`, `Bearer ${key}`, headers['authorization']),
    ...(headers['accept'] === 'application/json' ? [] : [`${where}: it accepts ${headers['accept']}`]),
    ...(USER_AGENT.test(headers['user-agent'] ?? '') ? [] : [`${where}: user-agent is ${headers['user-agent']}`]),
    ...Object.entries(wanted.headers).flatMap(([name, value]) => unequal(`${where}: ${name}`, value, headers[name])),
    ...(wanted.body === undefined
      ? []
      : [
          ...(isJson ? [] : [`${where}: content-type is ${headers['content-type']}`]),
          ...unequal(`${where}: body`, wanted.body, parsed(got.body.toString())),
        ]),
    ...(wanted.body === undefined && wanted.file === undefined && got.body.length > 0 ? [`${where}: a body`] : []),
    ...(wanted.file === undefined ? [] : unequal(`${where}: file`, wanted.file, await fileIn(got))),
  ];
}

/** Bytes of the field `file` of a form, in base64. */
async function fileIn({ headers, body }: RecordedRequest): Promise<string> {
  try {
    const form = await new Response(new Uint8Array(body), { headers: { ...headers } }).formData();
    const file = form.get('file');
    return file instanceof Blob ? Buffer.from(await file.arrayBuffer()).toString('base64') : 'no file';
  } catch {
    return 'no form';
  }
}

function keyDifferences(wanted: readonly ExpectedRequest[], got: readonly RecordedRequest[]): string[] {
  const labels = new Map<string, string>();
  return wanted.flatMap(({ idempotency_key: expected }, n) => {
    const value = got[n]?.headers['idempotency-key'];
    const where = `request ${n + 1}: idempotency-key`;
    if (!got[n]) return [];
    if (!expected) return value === undefined ? [] : [`${where} is ${value}`];
    if ('is' in expected) return unequal(where, expected.is, value);
    const { label } = expected;
    if (value === undefined || value.length < 16) return [`${where} is ${value}`];
    const first = labels.get(label);
    if (first === undefined && [...labels.values()].includes(value)) return [`${where} is that of another call`];
    labels.set(label, first ?? value);
    return unequal(where, first ?? value, value);
  });
}

function endDifferences({ expect }: ConformanceCase, ran: Outcome, requests: readonly RecordedRequest[]): string[] {
  const { result, example, error, refused = false, canceled = false } = expect;
  const shown = example === undefined ? result : withoutSuccess(exampleOf(example));
  return [
    ...unequal('refused', refused, ran.refused ?? false),
    ...unequal('canceled', canceled, ran.canceled ?? false),
    ...(shown === undefined ? [] : missing('result', shown, ran.result)),
    ...(typeof ran.result === 'object' && ran.result && 'success' in ran.result ? ['result: it shows success'] : []),
    ...(error ? errorDifferences(error, ran, requests) : ran.error ? [`error: ${JSON.stringify(ran.error)}`] : []),
  ];
}

function errorDifferences(
  { idempotency_key: key, ...wanted }: ExpectedFailure,
  { error, result, refused }: Outcome,
  requests: readonly RecordedRequest[],
): string[] {
  if (!error) return [`error: none, but ${JSON.stringify(refused ? 'a refusal' : result)}`];
  const sent = requests.at(-1)?.headers['idempotency-key'];
  return [
    ...Object.entries(wanted).flatMap(([name, value]) => missing(`error: ${name}`, value, Reflect.get(error, name))),
    ...(key === undefined ? [] : unequal('error: key', key === 'sent' ? sent : null, error.idempotency_key)),
    ...(error.is ? [] : ['error: is(code) does not know its code']),
    ...(error.detail === '' ? ['error: detail is empty'] : []),
  ];
}

function waitDifferences(wanted: readonly (readonly [number, number])[] | undefined, got: readonly number[]): string[] {
  if (!wanted) return [];
  const isWithin = wanted.every(([min, max], n) => (got[n] ?? -1) >= min && (got[n] ?? -1) <= max);
  return isWithin && got.length === wanted.length
    ? []
    : [`waits of ${got.join(', ')} s, not ${JSON.stringify(wanted)}`];
}

/** Differences of the fields that are wanted. A missing field equals null, and two forms of one time are equal. */
function missing(where: string, wanted: unknown, got: unknown): string[] {
  if (wanted === null || wanted === undefined)
    return got === null || got === undefined ? [] : unequal(where, null, got);
  if (Array.isArray(wanted)) {
    if (!Array.isArray(got) || got.length !== wanted.length) return unequal(where, wanted, got);
    return wanted.flatMap((item, n) => missing(`${where}[${n}]`, item, got[n]));
  }
  if (typeof wanted === 'object' && typeof got === 'object' && got !== null)
    return Object.entries(wanted).flatMap(([name, value]) =>
      missing(`${where}.${name}`, value, Reflect.get(got, name)),
    );
  if (typeof wanted === 'string' && typeof got === 'string' && TIME.test(wanted) && TIME.test(got))
    return unequal(where, Date.parse(wanted), Date.parse(got));
  return unequal(where, wanted, got);
}

const shown = (value: unknown) => (JSON.stringify(value) ?? 'undefined').slice(0, 300);

function unequal(where: string, wanted: unknown, got: unknown): string[] {
  return isDeepStrictEqual(wanted, got) ? [] : [`${where} is ${shown(got)}, not ${shown(wanted)}`];
}

/** The field is on the wire only: errors are of a type of their own. */
function withoutSuccess(value: object): unknown {
  const { success: _success, ...rest } = value as { readonly success?: unknown };
  return rest;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
