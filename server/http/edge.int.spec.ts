import type { AddressInfo } from 'node:net';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { moneyOf } from '#core/testing/money.js';
import { RawConnection } from '../testing/raw-connection.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const CONNECTIONS_MAX = 20;
/** A quarter of the maximum. */
const CONNECTIONS_PER_ADDRESS_MAX = 5;
/** Slow callers are checked once a second. */
const SLOW_WITHIN_MS = 8_000;

describe('the edge of the server', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let port: number;
  let open: RawConnection[] = [];

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(
      bed.config({ HTTP_CONNECTIONS_MAX: String(CONNECTIONS_MAX), HTTP_REQUEST_SECONDS: '2' }),
    );
    await server.app.listen(0, '127.0.0.1');
    port = (server.app.getHttpServer().address() as AddressInfo).port;
    account = await createTestAccount(server);
  });

  afterEach(async () => {
    open.forEach((connection) => connection.close());
    await Promise.all(open.map((connection) => connection.closed()));
    open = [];
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const connection = async () => {
    const one = await RawConnection.open(port);
    open.push(one);
    return one;
  };
  const saying = async (text: string) => {
    const one = await connection();
    one.write(text);
    return one;
  };
  const sendSms = () => {
    const body = JSON.stringify({ to: '+14155552671', message: 'Hello', apikey: account.apiKey });
    return (
      `POST /api/sendsms HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ` +
      `${body.length}\r\n\r\n${body}`
    );
  };
  const bodyOf = ({ received }: RawConnection) => JSON.parse(received.split('\r\n\r\n')[1] ?? '') as unknown;
  const failure = {
    success: 'false',
    error: 'Failed to send SMS',
    code: 'invalid_request',
    detail: expect.any(String),
  };

  it.each([
    ['a request that is not HTTP', 'hello\r\n\r\n', 400],
    ['a header without an end', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}`, 431],
    ['an address of 20 kB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
    ['two lengths of a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx', 400],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
    [
      'a chunk without a length',
      'POST /api/sendsms HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
    ],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n', 400],
  ])('answers %s with an error and closes the connection', async (_what, text, status) => {
    const caller = await saying(text);
    expect(await caller.status()).toBe(status);
    await caller.closed();
    expect(bodyOf(caller)).toEqual(failure);
    for (const header of ['Cache-Control: no-store', 'X-Content-Type-Options: nosniff', 'Strict-Transport-Security: '])
      expect(caller.received).toContain(header);
  });

  it('rejects a request with more than 100 headers', async () => {
    const headers = Array.from({ length: 101 }, (_, n) => `x-${n}: 1\r\n`).join('');
    const caller = await saying(`GET /api/balance HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
    expect(await caller.status()).toBe(400);
    expect(bodyOf(caller)).toEqual({
      ...failure,
      error: 'The request was refused.',
      detail: 'A request may have at most 100 headers.',
    });
  });

  it('rejects a body by its Content-Length without waiting for it', async () => {
    const caller = await saying(
      `POST /api/sendsms HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n{`,
    );
    expect(await caller.status()).toBe(413);
    expect(bodyOf(caller)).toEqual(failure);
  });

  it('rejects a chunked body as soon as it is too large', async () => {
    const caller = await saying(
      'POST /api/sendsms HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    for (let chunk = 0; chunk < 20; chunk += 1) caller.write(`1000\r\n${'a'.repeat(4_096)}\r\n`);
    expect(await caller.status()).toBe(413);
  });

  it.each([
    ['a head', 'POST /api/sendsms HTTP/1.1\r\nHost: x\r\n'],
    [
      'a body',
      'POST /api/sendsms HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"to":',
    ],
  ])('times out %s that does not complete', async (_what, text) => {
    const caller = await saying(text);
    expect(await caller.status(SLOW_WITHIN_MS)).toBe(408);
    await caller.closed();
  });

  it('charges nothing when the caller disconnects before the end of the body', async () => {
    const before = await moneyOf(bed.database, account.id);
    const caller = await saying(sendSms().slice(0, -5));
    caller.end();
    await caller.closed(SLOW_WITHIN_MS);
    expect(await moneyOf(bed.database, account.id)).toEqual(before);
  });

  it('answers 503 on a connection over the limit of its address, charges nothing, and serves again when others have closed', async () => {
    const before = await moneyOf(bed.database, account.id);
    const quiet = await Promise.all(Array.from({ length: CONNECTIONS_PER_ADDRESS_MAX }, connection));
    const tooMany = await saying(sendSms());
    expect(await tooMany.status()).toBe(503);
    expect(tooMany.received).toMatch(/^retry-after: 1\r$/im);
    expect(bodyOf(tooMany)).toMatchObject({ code: 'unavailable' });
    await tooMany.closed();
    const balancer = await saying('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await balancer.status()).toBe(200);
    expect(await moneyOf(bed.database, account.id)).toEqual(before);

    balancer.close();
    quiet.forEach((one) => one.close());
    await Promise.all([...quiet, balancer].map((one) => one.closed()));
    const next = await saying(sendSms());
    expect(await next.status()).toBe(200);
  });
});
