import { basename, join } from 'node:path';
import { inspect } from 'node:util';
import { Pennytext } from './client.js';
import { PennytextError } from './errors.js';
import type { CallOptions, Clock } from './transport.js';
import { caseFiles, casesIn, type ConformanceCase } from '../../conformance/case.js';
import { differencesOf, type Outcome } from '../../conformance/judge.js';
import { MockService } from '../../conformance/mock-service.js';

type Arguments = ConformanceCase['call']['arguments'];
type Call = (client: Pennytext, args: never, options: CallOptions, given: Arguments) => unknown;

const calls: Readonly<Record<ConformanceCase['call']['name'], Call>> = {
  send: (client, args, options) => client.send(args, options),
  send_bulk: (client, args, options) => client.sendBulk(args, options),
  quote: (client, args, options) => client.quote(args, options),
  quote_otp: (client, args, options) => client.quote(args, options),
  balance: (client, _args, options) => client.balance(options),
  'messages.get': (client, { message_id: id }, options) => client.messages.get(id, options),
  'messages.list': (client, args, options) => client.messages.list(args, options),
  'messages.cancel': (client, { message_id: id }, options) => client.messages.cancel(id, options),
  'batches.get': (client, { batch_id: id }, options) => client.batches.get(id, options),
  'batches.cancel': (client, { batch_id: id }, options) => client.batches.cancel(id, options),
  'otp.send': (client, args, options) => client.otp.send(args, options),
  'otp.resend': (client, args, options) => client.otp.resend(args, options),
  'otp.verify': (client, args, options) => client.otp.verify(args, options),
  'totp.create': (client, args, options) => client.totp.create(args, options),
  'totp.verify': (client, { totp_id: id, code }, options) => client.totp.verify(id, { code }, options),
  'totp.recovery_codes': (client, { totp_id: id }, options) => client.totp.recoveryCodes(id, options),
  'media.upload': (client, args, options, { bytes_base64: bytes }) =>
    client.media.upload(bytesOf(bytes) ?? args, options),
  'optouts.list': (client, args, options) => client.optouts.list(args, options),
  'webhooks.verify': (client, { headers, secret, secrets, now, body }, _options, { body_base64: bytes }) =>
    client.webhooks.verify(bytesOf(bytes) ?? body, headers, secrets ?? secret, { now: new Date(now) }),
};

const bytesOf = (base64: unknown) => (typeof base64 === 'string' ? Buffer.from(base64, 'base64') : undefined);

const VARIABLES = ['PENNYTEXT_API_KEY', 'PENNYTEXT_URL'] as const;

function setVariable(name: string, value: string | undefined): void {
  if (value === undefined) Reflect.deleteProperty(process.env, name);
  else process.env[name] = value;
}

/** Time in which the request has reached the service. */
const CANCELED_AFTER_MS = 300;

/** Runs a case as a program would; waits take no time, and move the clock. */
async function outcomeOf({ client: options, environment, call, cancel }: ConformanceCase): Promise<Outcome> {
  const startedAtMs = performance.now();
  const before = { ...process.env };
  const waits: number[] = [];
  const texts: string[] = [];
  const items: unknown[] = [];
  const stop = new AbortController();
  const clock: Clock = {
    now: () => performance.now() + waits.reduce((sum, seconds) => sum + seconds, 0) * 1_000,
    wait: async (ms, signal) => {
      waits.push(ms / 1_000);
      if (cancel === 'wait') stop.abort();
      signal?.throwIfAborted();
    },
  };
  const ended = (end: Partial<Outcome>): Outcome => ({
    ...end,
    waits,
    texts,
    elapsed_ms: performance.now() - startedAtMs,
  });
  for (const name of VARIABLES) setVariable(name, environment[name]);
  try {
    const { api_key: apiKey, base_url: baseUrl, max_retries: maxRetries, timeout_ms: timeoutMs } = options;
    const client = new Pennytext({
      apiKey: apiKey ?? undefined,
      baseUrl: baseUrl ?? undefined,
      maxRetries,
      timeoutMs,
      deadlineMs: options.deadline_ms,
      clock,
    });
    texts.push(inspect(client, { depth: 9, showHidden: true }), JSON.stringify(client));
    let result: unknown;
    if (cancel === 'try') setTimeout(() => stop.abort(), CANCELED_AFTER_MS);
    for (let n = 0; n < call.times; n++) {
      try {
        const started = calls[call.name](client, call.arguments as never, callOptions(call, stop), call.arguments);
        result = isList(started) ? await read(started, items, call.take) : await started;
      } catch (error) {
        if (n === call.times - 1) throw error;
      }
    }
    return ended({ result });
  } catch (error) {
    texts.push(inspect(error, { depth: 9 }), String(error), JSON.stringify(error));
    if (error === stop.signal.reason) return ended({ canceled: true });
    if (error instanceof PennytextError) return ended({ error: shown(error), result: items });
    if (error instanceof TypeError) return ended({ refused: true });
    throw error;
  } finally {
    for (const name of VARIABLES) setVariable(name, before[name]);
  }
}

const callOptions = ({ idempotency_key: idempotencyKey }: ConformanceCase['call'], { signal }: AbortController) => ({
  idempotencyKey,
  signal,
});

const isList = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

async function read(list: AsyncIterable<unknown>, items: unknown[], itemsMax = Infinity): Promise<unknown[]> {
  for await (const item of list) if (items.push(item) >= itemsMax) break;
  return items;
}

function shown(error: PennytextError): NonNullable<Outcome['error']> {
  return {
    code: error.code,
    detail: error.detail,
    status: error.status ?? null,
    request_id: error.requestId ?? null,
    retry_after: error.retryAfterSeconds ?? null,
    fix: error.fix,
    outcome_unknown: error.outcomeUnknown,
    idempotency_key: error.idempotencyKey ?? null,
    is: error.is(error.code) && !error.is('no_such_code'),
  };
}

describe.each(
  caseFiles(join(__dirname, '../../conformance')).map((file) => [basename(file, '.json'), casesIn(file)] as const),
)('the TypeScript client and %s', (_file, cases) => {
  it.each(cases.map((one) => [one.name.replaceAll('-', ' '), one] as const))('%s', async (_name, one) => {
    const mock = await MockService.open(one);
    try {
      const outcome = await outcomeOf(mock.filled(one));
      expect(await differencesOf(mock.filled(one), mock, outcome)).toEqual([]);
    } finally {
      mock.close();
    }
  });
});
