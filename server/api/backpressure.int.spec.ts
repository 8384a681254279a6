import type { InjectOptions } from 'fastify';
import type { Client } from 'pg';
import { eventually } from '#core/testing/eventually.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { startTcpProxy, type TcpProxy } from '#core/testing/tcp-proxy.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';
const POOL = 2;
// Lets a busy machine open a connection, which has the same timeout.
const WAIT_MS = 1500;

describe('when the database cannot keep up', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let busy: Client;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config({ DATABASE_POOL_MAX: String(POOL), DATABASE_WAIT_MS: String(WAIT_MS) }));
    busy = await bed.database.connect();
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
  });

  afterAll(async () => {
    await busy?.end();
    await server?.close();
    await bed?.remove();
  });

  const bearer = () => ({ authorization: `Bearer ${account.apiKey}` });
  const send = () => server.send({ to: TO, message: 'Hello', apikey: account.apiKey });
  const calls: [string, () => InjectOptions][] = [
    [
      'sendsms',
      () => ({ method: 'POST', url: '/api/sendsms', headers: bearer(), payload: { to: TO, message: 'Hello' } }),
    ],
    ['sendotp', () => ({ method: 'POST', url: '/api/sendotp', headers: bearer(), payload: { to: TO } })],
    ['verifyotp', () => ({ method: 'POST', url: '/api/verifyotp', headers: bearer(), payload: { otp: '1', to: TO } })],
    ['messages', () => ({ method: 'GET', url: '/api/messages', headers: bearer() })],
    ['balance', () => ({ method: 'GET', url: '/api/balance', headers: bearer() })],
  ];

  /** Blocks every connection of the server's pool while `work` runs. */
  async function withBusyPool(work: () => Promise<void>): Promise<void> {
    await busy.query('BEGIN');
    await busy.query('SELECT 1 FROM credit_accounts WHERE account_id = $1 FOR UPDATE', [account.id]);
    const batches: ReturnType<typeof send>[] = [];
    try {
      for (let taken = 0; taken < POOL; taken += 1) {
        batches.push(send());
        await eventually('another statement waits', async () => (await waiting()) > taken);
      }
      await work();
    } finally {
      await busy.query('COMMIT');
    }
    expect((await Promise.all(batches)).map(({ statusCode }) => statusCode)).toEqual(batches.map(() => 200));
  }

  async function waiting(): Promise<number> {
    const [row] = await bed.database.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return row?.count ?? 0;
  }

  it.each(calls)('answers %s with 503 and Retry-After, charges nothing, and recovers', async (_name, call) => {
    await withBusyPool(async () => {
      const answer = await server.inject(call());
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([503, 'unavailable']);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    });
    // Only messages of statements that had started are charged.
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 100 - POOL, messages: POOL });
    expect((await server.inject(call())).statusCode).toBe(200);
    expect(await moneyFaults(bed.database)).toEqual([]);
  });
});

describe('when Redis becomes unavailable and comes back', () => {
  let bed: TestBed;
  let proxy: TcpProxy;
  let server: TestServer;

  beforeAll(async () => {
    bed = await createTestBed();
    const url = new URL(bed.config().queue.redis?.urls[0] ?? '');
    proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 6379) });
    url.host = `127.0.0.1:${proxy.port}`;
    server = await createTestServer(bed.config({ REDIS_URL: url.href, RATE_LIMIT_KEY_PER_SECOND: '1000' }));
  });

  afterAll(async () => {
    proxy?.set('through');
    await server?.close();
    await proxy?.close();
    await bed?.remove();
  });

  const queueIs = (state: 'ok' | 'degraded') =>
    eventually(
      `the queue is ${state}`,
      async () => {
        const answer = await server.inject({ url: '/readyz' });
        expect(answer.statusCode).toBe(200);
        return answer.json<{ queue: string }>().queue === state;
      },
      10_000,
    );

  it('accepts all the time, stays ready with a degraded queue, and recovers', async () => {
    const account = await createTestAccount(server);
    const send = async () => (await server.send({ to: TO, message: 'Hello', apikey: account.apiKey })).statusCode;
    expect(await send()).toBe(200);
    proxy.set('gone');
    await queueIs('degraded');
    expect(await send()).toBe(200);
    proxy.set('through');
    await queueIs('ok');
    expect(await send()).toBe(200);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 97, messages: 3 });
  });
});
