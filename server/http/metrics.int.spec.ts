import { createTestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const local = { PUBLIC_URL: 'http://localhost:3000' };

describe('GET /metrics', () => {
  let bed: TestBed;
  let server: TestServer;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config(local));
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const scrape = () => server.inject({ url: '/metrics', remoteAddress: '10.0.0.9' });
  /** Returns the value of the metric with all these labels. */
  async function value(name: string, labels: Record<string, string> = {}): Promise<number | undefined> {
    const wanted = Object.entries({ ...labels, process: 'server' }).map(([label, text]) => `${label}="${text}"`);
    const lines = (await scrape()).body.split('\n').filter((line) => line.startsWith(`${name}{`));
    const found = lines.find((line) => wanted.every((label) => line.includes(label)));
    return found === undefined ? undefined : Number(found.split(' ').at(-1));
  }

  it('answers in the Prometheus text format and forbids caching', async () => {
    const { statusCode, headers, body } = await scrape();
    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store']);
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(body).toContain('# TYPE pennytext_accepts_total counter');
    expect(body).toContain('nodejs_eventloop_lag_p99_seconds{process="server"}');
  });

  it('counts answers and batch sizes', async () => {
    const { apiKey } = await createTestAccount(server, { credits: 2 });
    const send = (to: string, key = apiKey) => server.send({ to, message: 'Hello', apikey: key });
    const first = await send('2025550142');
    expect(first.statusCode).toBe(200);
    for (const to of ['2025550142', '2025550142', 'nonsense']) await send(to);
    await send('2025550142', `${apiKey}_test`);
    const accepts = (verdict: string) => value('pennytext_accepts_total', { verdict });
    expect(await accepts('accepted')).toBe(2);
    expect(await accepts('no_credits')).toBe(2);
    expect(await accepts('tested')).toBe(1);
    expect(await accepts('invalid_number')).toBeUndefined();
    const batches = await value('pennytext_acceptance_batch_requests_count');
    expect(batches).toBeGreaterThanOrEqual(4);
    expect(await value('pennytext_acceptance_wait_seconds_count')).toBe(batches);
  });

  it('labels requests by route template, others as unmatched', async () => {
    await server.inject({ url: '/api/messages/SM1?apikey=secret' });
    await server.inject({ url: '/nowhere/4155550199' });
    for (const route of ['/api/messages/:messageId', 'unmatched'])
      expect(
        await value('pennytext_http_request_duration_seconds_count', { method: 'GET', route, status_class: '4xx' }),
      ).toBe(1);
    const labels = [...(await scrape()).body.matchAll(/="([^"]*)"/g)].map(([, label]) => label);
    expect(labels.filter((text = '') => /4155550199|(^|=)secret/.test(text))).toEqual([]);
  });

  it('reports the backlog in Postgres and the queue, and the connection pool', async () => {
    for (const kind of ['dispatch', 'webhooks', 'mail', 'held'])
      expect(await value('pennytext_backlog_rows', { kind })).toBeGreaterThanOrEqual(0);
    for (const queue of ['dispatch', 'webhooks', 'mail', 'credits-added'])
      expect(await value('pennytext_queue_jobs', { queue, state: 'waiting' })).toBeGreaterThanOrEqual(0);
    for (const dependency of ['postgres', 'queue'])
      expect(await value('pennytext_dependency_up', { dependency })).toBe(1);
    expect(await value('pennytext_postgres_pool_connections_max')).toBe(5);
  });

  it.each([
    ['from outside', { remoteAddress: '203.0.113.7' }],
    ['through a proxy', { remoteAddress: '10.0.0.9', headers: { 'x-forwarded-for': '203.0.113.7' } }],
  ])('answers 404 to a caller %s', async (_title, caller) => {
    const answer = await server.inject({ url: '/metrics', ...caller });
    expect(answer.statusCode).toBe(404);
    expect(answer.body).not.toContain('pennytext_');
  });
});
