import { Readable } from 'node:stream';
import { limits } from '#contract/limits.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const BYTES = limits.apiBodyBytesMax + 1;

describe('Long bodies without a key in the head', () => {
  let bed: TestBed;
  let server: TestServer;
  let ends: (() => void)[];

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
  });
  beforeEach(() => (ends = []));

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  /** Begins a body; the functions in `ends` end all bodies. */
  async function send(remoteAddress: string) {
    const payload = new Readable({ read: () => undefined });
    payload.push('{');
    ends.push(() => {
      payload.push(' '.repeat(BYTES - 1));
      payload.push(null);
    });
    const headers = { 'content-type': 'application/json', 'content-length': String(BYTES) };
    const answer = await server.inject({ method: 'POST', url: '/api/sendbulk', remoteAddress, headers, payload });
    return [answer.statusCode, answer.json<{ code: string }>().code, answer.headers['retry-after']];
  }
  const received = [400, 'missing_fields', undefined];

  it('are received two at a time of one address', async () => {
    const first = [send('198.51.100.1'), send('198.51.100.1')];
    expect(await send('198.51.100.1')).toEqual([429, 'rate_limited', '1']);
    for (const end of ends) end();
    expect(await Promise.all(first)).toEqual([received, received]);
    const next = send('198.51.100.1');
    for (const end of ends) end();
    expect(await next).toEqual(received);
  });

  it('are received 16 at a time of all addresses', async () => {
    const first = Array.from({ length: 16 }, (_, n) => send(`198.51.100.${n + 1}`));
    expect(await send('198.51.100.17')).toEqual([503, 'unavailable', '1']);
    for (const end of ends) end();
    expect(await Promise.all(first)).toEqual(first.map(() => received));
  });
});
