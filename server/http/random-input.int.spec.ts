import type { AddressInfo } from 'node:net';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Config } from '#core/platform/config/config.js';
import { createTestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { fuzzSettings } from '#core/testing/test-environment.js';
import { hostileHeader, leaksIn } from '../testing/fuzz.js';
import { RawConnection } from '../testing/raw-connection.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const { seconds, seed } = fuzzSettings();
const run = { seed, numRuns: 1_000_000, interruptAfterTimeLimit: seconds * 1_000, markInterruptAsFailure: false };

/** Input that no HTTP client sends; fuzz.int.spec.ts sends requests to all routes. */
describe(`random paths and malformed HTTP (FUZZ_SEED=${seed})`, () => {
  let bed: TestBed;
  let config: Config;
  let server: TestServer;
  let hidden: string[];
  let folder: string;
  let port: number;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pennytext-fuzz-'));
    mkdirSync(join(folder, 'client', 'assets'), { recursive: true });
    writeFileSync(join(folder, 'outside.txt'), 'a file outside');
    writeFileSync(join(folder, 'client', 'index.html'), '<!doctype html><p>Home</p>');
    writeFileSync(join(folder, 'client', 'assets', 'a.js'), 'plain');
    bed = await createTestBed();
    config = bed.config();
    server = await createTestServer(config, join(folder, 'client'));
    await server.app.listen(0, '127.0.0.1');
    port = (server.app.getHttpServer().address() as AddressInfo).port;
    const other = await createTestAccount(server);
    hidden = [other.id, other.email, other.apiKey, 'a secret of another account', 'a file outside'];
    await server.send({ to: '+14155550199', message: 'a secret of another account', apikey: other.apiKey });
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
    if (folder) rmSync(folder, { recursive: true });
  });

  it('answers paths outside the pages folder and unknown paths', async () => {
    const part = fc.constantFrom(
      '..',
      '.',
      '%2e%2e',
      '%252e%252e',
      '%c0%ae%c0%ae',
      '..%5c',
      '..\\',
      '%00',
      '%2f',
      '%252f',
      '//',
      'assets',
      'outside.txt',
      'etc/passwd',
      'client',
      ';',
      '%',
      '%zz',
      '\u00e9',
    );
    const path = fc.array(part, { maxLength: 8 }).map((parts) => `/${parts.join('/')}`);
    await fc.assert(
      fc.asyncProperty(path, async (target) => {
        const caller = await RawConnection.open(port);
        caller.write(Buffer.from(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, 'latin1'));
        await caller.closed();
        const answer = caller.received;
        expect(leaksIn(answer, config, hidden)).toEqual([]);
        expect(answer).toMatch(/^HTTP\/1\.1 [1-4]\d\d /);
      }),
      run,
    );
  });

  it('answers malformed HTTP', async () => {
    const line = fc.constantFrom(
      'POST /api/sendsms HTTP/1.1',
      'GET / HTTP/1.1',
      'GET / HTTP/9.9',
      'BREW /api/balance HTTP/1.1',
      'OPTIONS * HTTP/1.1',
      'GET http://other/ HTTP/1.1',
      'POST /api/sendsms',
      'PRI * HTTP/2.0',
    );
    const header = fc.oneof(
      fc.constantFrom(
        'Host: x',
        'Host: y',
        'Content-Type: application/json',
        'Content-Length: 5',
        'Content-Length: -1',
        'Content-Length: 99999999999999999999',
        'Transfer-Encoding: chunked',
        'Transfer-Encoding: gzip, chunked',
        'Connection: close',
        'Connection: upgrade',
        'Upgrade: websocket',
        'Expect: 100-continue',
        'Cookie: __Host-pennytext_session=%00',
        'X',
        ': x',
        ' folded',
      ),
      hostileHeader.map((value) => `X-Any: ${value}`),
    );
    const body = fc.constantFrom(
      '',
      '{"a":',
      '5\r\nhello\r\n0\r\n\r\n',
      'ffffffffffffffff\r\n',
      '5;a=b\r\nhello\r\n',
      '0\r\nTrailer: x\r\n\r\n',
      '-1\r\n',
    );
    await fc.assert(
      fc.asyncProperty(line, fc.array(header, { maxLength: 8 }), body, async (first, headers, rest) => {
        const answer = await spoken(`${[first, ...headers].join('\r\n')}\r\n\r\n${rest}`);
        expect(leaksIn(answer, config, hidden)).toEqual([]);
        expect(answer).not.toMatch(/^HTTP\/1\.1 5/m);
      }),
      run,
    );
  });

  /** Returns everything received after the caller has sent its bytes and closed. */
  async function spoken(text: string): Promise<string> {
    const caller = await RawConnection.open(port);
    caller.write(Buffer.from(text, 'latin1'));
    caller.end();
    await caller.closed();
    return caller.received;
  }

  afterEach(async () => {
    expect((await server.inject({ url: '/healthz' })).statusCode).toBe(200);
  });
});
