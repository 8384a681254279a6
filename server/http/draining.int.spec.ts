import { Draining } from '#core/platform/process/lifecycle.js';
import { createTestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

describe('a draining server', () => {
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

  it('reports not ready at once, still serves, and closes its connections', async () => {
    const { apiKey } = await createTestAccount(server);
    const send = () => server.send({ to: '+14155552671', message: 'Hello', apikey: apiKey });
    expect((await send()).headers.connection).not.toBe('close');

    server.get(Draining).begin();
    const ready = await server.inject({ url: '/readyz' });
    expect([ready.statusCode, ready.json<{ draining?: boolean }>().draining]).toEqual([503, true]);
    expect((await server.inject({ url: '/healthz' })).statusCode).toBe(200);
    const served = await send();
    expect([served.statusCode, served.headers.connection]).toEqual([200, 'close']);
  });
});
