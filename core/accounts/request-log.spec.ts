import type { Postgres } from '../platform/database/postgres.js';
import { Logger } from '../platform/telemetry/logger.js';
import { Metrics } from '../platform/telemetry/metrics.js';
import { testConfig } from '../testing/test-config.js';
import type { AccountErasure } from './account-erasure.js';
import { RequestLog, type LoggedCall } from './request-log.js';

const call: LoggedCall = {
  key: { hash: Buffer.alloc(32), test: false, named: false },
  keyTail: 'abcd',
  atMs: 0,
  durationMs: 1,
  method: 'GET',
  path: '/api/balance',
  status: 200,
  code: null,
  requestId: 'r',
  subject: null,
  fields: '{}',
};

/** A log over a database whose answers the test releases one by one. */
function scene() {
  const statements: { calls: number; times: unknown; end: (error?: Error) => void }[] = [];
  const query = (_statement: unknown, values: unknown[]) =>
    new Promise<object[]>((resolve, reject) => {
      const calls = (values[3] as unknown[]).length;
      statements.push({ calls, times: values[14], end: (error) => (error ? reject(error) : resolve([])) });
    });
  const byKey = (calls: unknown[], _keyOf: unknown, work: (calls: unknown[]) => Promise<void>) => work(calls);
  const metrics = new Metrics('server');
  const log = new RequestLog(
    { register: () => undefined } as unknown as AccountErasure,
    testConfig(),
    { query, byKey } as unknown as Postgres,
    metrics,
    Logger.silent(),
  );
  const dropped = async () => (await metrics.requestLogDropped.get()).values[0]?.value ?? 0;
  const turn = () => new Promise(setImmediate);
  return { log, statements, dropped, turn };
}

describe('RequestLog', () => {
  it('writes full batches, one statement at a time', async () => {
    const { log, statements, turn } = scene();
    for (let n = 0; n < 1_200; n += 1) log.note(call);
    expect(statements.map(({ calls }) => calls)).toEqual([500]);
    statements[0]?.end();
    await turn();
    expect(statements.map(({ calls }) => calls)).toEqual([500, 500]);
    statements[1]?.end();
    await turn();
    const flushed = log.flush();
    statements[2]?.end();
    await flushed;
    expect(statements.map(({ calls }) => calls)).toEqual([500, 500, 200]);
  });

  it('counts refusals that are equal to one which waits, and no other calls', async () => {
    const { log, statements, turn } = scene();
    const refused = { ...call, status: 400, code: 'invalid_number' };
    const others = [
      call,
      call,
      { ...refused, fields: '{"a":1}' },
      { ...refused, status: 503 },
      { ...refused, status: 503 },
    ];
    for (const one of [refused, refused, ...others, refused]) log.note(one);
    const flushed = log.flush();
    log.note(refused);
    statements[0]?.end();
    await turn();
    statements[1]?.end();
    await flushed;
    expect(statements.map(({ times }) => times)).toEqual([[3, 1, 1, 1, 1, 1], [1]]);
  });

  it('drops calls beyond its bound and counts them', async () => {
    const { log, statements, dropped } = scene();
    for (let n = 0; n < 10_007; n += 1) log.note(call);
    expect(statements).toHaveLength(1);
    expect(await dropped()).toBe(7);
  });

  it('keeps calls while the database is unavailable, and drops those that it refuses', async () => {
    const { log, statements, dropped } = scene();
    log.note(call);
    const first = log.flush();
    statements[0]?.end(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }));
    await first;
    expect(await dropped()).toBe(0);
    const second = log.flush();
    expect(statements[1]?.calls).toBe(1);
    statements[1]?.end(new Error('invalid input'));
    await second;
    expect(await dropped()).toBe(1);
    await log.flush();
    expect(statements).toHaveLength(2);
  });
});
