import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '#core/testing/eventually.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { startTcpProxy, type TcpProxy } from '#core/testing/tcp-proxy.js';
import { redisOf } from '#core/testing/redis-of.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const TO = '+14155552671';

describe('when a service is unavailable', () => {
  let bed: TestBed;
  let proxy: TcpProxy;
  let server: TestServer;
  let account: TestAccount;

  beforeAll(async () => {
    bed = await createTestBed();
    const url = new URL(bed.database.url);
    proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port || 5432) });
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    const local = { PUBLIC_URL: 'http://localhost:3000', METRICS_TOKEN: '' };
    server = await createTestServer(bed.config({ DATABASE_URL: url.href, DATABASE_WAIT_MS: '5000', ...local }));
  });

  beforeEach(async () => {
    proxy.set('through');
    await eventually('the server is ready', async () => (await server.inject({ url: '/readyz' })).statusCode === 200);
    account = await createTestAccount(server);
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    proxy?.set('through');
    await server?.close();
    await proxy?.close();
    await bed?.remove();
  });

  const send = (headers: Record<string, string> = {}) =>
    server.send({ to: TO, message: 'Hello', apikey: account.apiKey }, headers);
  const money = () => moneyOf(bed.database, account.id);

  it('answers 503 and charges nothing while Postgres is unavailable, and recovers', async () => {
    proxy.set('gone');
    const answer = await send();
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({
      success: 'false',
      error: 'Failed to send SMS',
      code: 'unavailable',
      detail: expect.any(String),
    });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(await money()).toMatchObject({ balance: 100, messages: 0 });
    proxy.set('through');
    expect((await send()).statusCode).toBe(200);
  });

  /** Has regions, numbers and routes read, so that the next message does not wait for them. */
  const fillCaches = () => server.send({ to: '+14155552671', message: 'Hello', apikey: `${account.apiKey}_test` });

  it('answers that the message was accepted when only the answer to the commit was lost', async () => {
    await fillCaches();
    proxy.set('mute');
    const sent = send();
    await eventually('the message is stored', async () => (await money()).messages === 1);
    proxy.set('through');
    const answer = await sent;
    expect(answer.statusCode).toBe(200);
    const { message_id } = answer.json<{ message_id: string }>();
    const shown = await server.inject({ url: `/api/messages/${message_id}?apikey=${account.apiKey}` });
    expect(shown.json()).toMatchObject({ message_id, status: 'queued' });
    expect(await money()).toMatchObject({ balance: 99, messages: 1 });
  });

  it('answers that the message was accepted when the connection broke while the charge waited', async () => {
    const other = await bed.database.connect();
    const waiting = async () =>
      (
        await bed.database.sql(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
      ).length;
    try {
      await other.query('BEGIN');
      await other.query('SELECT 1 FROM credit_accounts WHERE account_id = $1 FOR UPDATE', [account.id]);
      const sent = send();
      await eventually('the charge waits', async () => (await waiting()) === 1);
      proxy.set('gone');
      proxy.set('through');
      // The charge still waits; the query for its outcome waits behind it.
      await eventually('the query for the outcome waits', async () => (await waiting()) === 2);
      await other.query('COMMIT');
      expect((await sent).statusCode).toBe(200);
    } finally {
      await other.end();
    }
    expect(await money()).toMatchObject({ balance: 99, messages: 1 });
  });

  it('replays after an answer that never reached the caller', async () => {
    await fillCaches();
    proxy.set('mute');
    const lost = send({ 'idempotency-key': 'once' });
    await eventually('the message is stored', async () => (await money()).messages === 1);
    proxy.set('gone');
    expect((await lost).statusCode).toBe(503);
    proxy.set('through');
    const again = await send({ 'idempotency-key': 'once' });
    expect([again.statusCode, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(await money()).toMatchObject({ balance: 99, messages: 1 });
  });

  /** Makes the database read-only like a standby for new connections. */
  async function asStandby(work: () => Promise<void>): Promise<void> {
    const operator = await bed.database.connect();
    const { pathname } = new URL(bed.database.url);
    const database = operator.escapeIdentifier(pathname.slice(1));
    try {
      await operator.query(`ALTER DATABASE ${database} SET default_transaction_read_only = on`);
      proxy.set('gone');
      await eventually('the server notices', async () => (await server.inject({ url: '/readyz' })).statusCode === 503);
      proxy.set('through');
      await work();
    } finally {
      await operator.query(`ALTER DATABASE ${database} RESET default_transaction_read_only`);
      proxy.set('gone');
      await operator.end();
    }
  }

  it('answers 503, charges nothing and is not ready while the database is a standby', async () => {
    await asStandby(async () => {
      const answer = await send();
      expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([503, 'unavailable']);
      expect(answer.json<{ detail: string }>().detail).toContain('You were not charged');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      const ready = await server.inject({ url: '/readyz' });
      expect([ready.statusCode, ready.json<{ database: string }>().database]).toEqual([503, 'unavailable']);
    });
    expect(await money()).toMatchObject({ balance: 100, messages: 0 });
  });

  it('does not read the outcome of a message from a standby, which may lag', async () => {
    await fillCaches();
    proxy.set('mute');
    const lost = send({ 'idempotency-key': 'once' });
    await eventually('the message is stored', async () => (await money()).messages === 1);
    await asStandby(async () => {
      const answer = await lost;
      expect(answer.statusCode).toBe(503);
      expect(answer.json<{ detail: string }>().detail).not.toContain('You were not charged');
    });
    proxy.set('through');
    const again = await send({ 'idempotency-key': 'once' });
    expect([again.statusCode, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(await money()).toMatchObject({ balance: 99, messages: 1 });
  });

  it.each(['/api/balance', '/api/messages'])(
    'answers GET %s as documented while Postgres is unavailable',
    async (url) => {
      proxy.set('gone');
      const answer = await server.inject({ url, headers: { authorization: `Bearer ${account.apiKey}` } });
      expect(answer.statusCode).toBe(503);
      expect(answer.json()).toMatchObject({
        success: 'false',
        error: 'Something went wrong. Please try again.',
        code: 'unavailable',
      });
    },
  );

  it('is not ready while the disk of Postgres is full, from the first failed write until one succeeds', async () => {
    const readiness = async () => {
      const ready = await server.inject({ url: '/readyz' });
      return [ready.statusCode, ready.json<{ database: string }>().database];
    };
    await bed.database.sql(
      `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`,
    );
    await bed.database.sql(
      `CREATE FUNCTION full_disk_of_tables() RETURNS event_trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE 'could not create file: No space left on device' USING ERRCODE = 'disk_full'; END $$`,
    );
    await bed.database.sql(
      `CREATE TRIGGER full_disk BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION full_disk()`,
    );
    await bed.database.sql(
      `CREATE EVENT TRIGGER full_disk ON ddl_command_start
        WHEN TAG IN ('CREATE TABLE AS') EXECUTE FUNCTION full_disk_of_tables()`,
    );
    try {
      expect(await readiness()).toEqual([200, 'ok']);
      expect((await send()).statusCode).toBe(503);
      expect(await readiness()).toEqual([503, 'unavailable']);
      // A second check at once gets the cached result, and writes nothing.
      expect(await readiness()).toEqual([503, 'unavailable']);
      expect((await server.inject({ url: '/metrics' })).body).toMatch(
        /pennytext_dependency_up\{dependency="postgres"[^}]*\} 0/,
      );
    } finally {
      await bed.database.sql('DROP EVENT TRIGGER full_disk');
      await bed.database.sql('DROP FUNCTION full_disk, full_disk_of_tables CASCADE');
    }
    await eventually('the server is ready again', async () => (await readiness())[0] === 200);
    expect((await send()).statusCode).toBe(200);
    expect(await money()).toMatchObject({ balance: 99, messages: 1 });
  });

  it('is ready with a degraded queue while Redis is full', async () => {
    const full = jest
      .spyOn(redisOf(server), 'set')
      .mockRejectedValue(new Error("OOM command not allowed when used memory > 'maxmemory'."));
    try {
      await eventually('the queue is degraded', async () => {
        const ready = await server.inject({ url: '/readyz' });
        return ready.statusCode === 200 && ready.json<{ queue: string }>().queue === 'degraded';
      });
    } finally {
      full.mockRestore();
    }
    await eventually('the queue is well', async () => {
      const ready = await server.inject({ url: '/readyz' });
      return ready.json<{ queue: string }>().queue === 'ok';
    });
  });

  it('is up but not ready while Postgres is unavailable', async () => {
    proxy.set('gone');
    expect((await server.inject({ url: '/healthz' })).json()).toEqual({ status: 'ok' });
    const ready = await server.inject({ url: '/readyz' });
    expect(ready.statusCode).toBe(503);
    expect(ready.json()).toEqual({
      status: 'unavailable',
      database: 'unavailable',
      migrations: 'unknown',
      queue: 'ok',
    });
  });

  it('answers an internal error with the documented text and nothing else', async () => {
    await bed.database.sql('ALTER TABLE messages RENAME TO hidden');
    try {
      const answer = await send();
      expect(answer.statusCode).toBe(500);
      expect(answer.json()).toEqual({
        success: 'false',
        error: 'Failed to send SMS',
        code: 'internal',
        detail: expect.any(String),
      });
      expect(answer.body).not.toMatch(/relation|messages"|SELECT|stack/i);
    } finally {
      await bed.database.sql('ALTER TABLE hidden RENAME TO messages');
    }
    expect(await money()).toMatchObject({ balance: 100, messages: 0 });
  });

  it('accepts and charges while Redis is unavailable; the message waits in Postgres', async () => {
    const alone = await createTestServer(bed.config({ REDIS_URL: 'redis://127.0.0.1:1' }));
    try {
      const answer = await alone.send({ to: TO, message: 'Hello', apikey: account.apiKey });
      expect(answer.statusCode).toBe(200);
      const [row] = await bed.database.sql(
        'SELECT status, EXISTS (SELECT FROM message_checks c WHERE m.id = ANY(c.message_ids)) AS ' +
          'found FROM messages m WHERE account_id = $1',
        [account.id],
      );
      expect(row).toEqual({ status: 'queued', found: true });
      const ready = await alone.inject({ url: '/readyz' });
      expect([ready.statusCode, ready.json()]).toEqual([
        200,
        { status: 'ok', database: 'ok', migrations: 'ok', queue: 'degraded' },
      ]);
    } finally {
      await alone.close();
    }
    expect(await money()).toMatchObject({ balance: 99, messages: 1 });
  });

  it('answers 503 while Postgres takes connections and gives no answers, and replays what it did', async () => {
    expect((await send()).statusCode).toBe(200);
    // Lets the server's caches of about a second expire.
    await pause(2_000);
    proxy.set('silent');
    const answer = await send({ 'idempotency-key': 'silent' });
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([503, 'unavailable']);
    proxy.set('gone');
    proxy.set('through');
    expect((await send({ 'idempotency-key': 'silent' })).statusCode).toBe(200);
    expect(await money()).toMatchObject({ balance: 98, messages: 2 });
  });
});

describe('health', () => {
  let bed: TestBed;
  let server: TestServer;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  it('is not ready while a migration is pending', async () => {
    await bed.database.sql('CREATE TABLE kept AS SELECT * FROM migrations');
    await bed.database.sql('DELETE FROM migrations');
    const pending = await server.inject({ url: '/readyz' });
    expect([pending.statusCode, pending.json<{ migrations: string }>().migrations]).toEqual([503, 'pending']);
    await bed.database.sql('INSERT INTO migrations SELECT * FROM kept');
    expect((await server.inject({ url: '/readyz' })).json()).toEqual({
      status: 'ok',
      database: 'ok',
      migrations: 'ok',
      queue: 'ok',
    });
  });

  it('answers unknown paths with a page for people and JSON for programs', async () => {
    const page = await server.inject({ url: '/nowhere' });
    expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.body).toContain('Page not found.');
    const api = await server.inject({ url: '/api/nowhere?apikey=secret' });
    expect(api.json()).toEqual({
      success: 'false',
      error: 'Not found',
      code: 'not_found',
      detail: 'There is nothing at GET /api/nowhere.',
    });
  });
});
