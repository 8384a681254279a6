import { getQueueToken } from '@nestjs/bullmq';
import type { Queue } from 'bullmq';
import { queueNames, type DispatchPayload } from '#core/platform/queue/queues.js';
import { createTestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { eventually } from '#core/testing/eventually.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PASSWORD = 'a-long-board-password';
const BOARD = '/operator/queues';

const basic = (password: string, user = 'operator') => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

describe.each(['redis', 'postgres'])('the queue board over %s', (backend) => {
  let bed: TestBed;
  let server: TestServer;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config({ QUEUE_BOARD_PASSWORD: PASSWORD, QUEUE_BACKEND: backend }));
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  const open = (path: string, headers: Record<string, string> = basic(PASSWORD)) =>
    server.inject({ url: `${BOARD}${path}`, headers });

  it('opens with the operator’s password and any user name, with its own security policy', async () => {
    for (const headers of [basic(PASSWORD), basic(PASSWORD, ''), basic(PASSWORD, 'anybody')]) {
      const page = await open('', headers);
      expect([page.statusCode, page.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')]);
      expect(page.headers['content-security-policy']).toContain("default-src 'self'; style-src 'self' 'unsafe-inline'");
      expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
      expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    }
    expect((await server.inject({ url: '/healthz' })).headers).not.toHaveProperty('content-security-policy');
  });

  it('serves its scripts to the operator and answers 404 for unknown files', async () => {
    const [, script = ''] = /src="(static\/js\/main[^"]+)"/.exec((await open('')).body) ?? [];
    expect((await open(`/${script}`)).statusCode).toBe(200);
    expect((await open('/static/../../package.json')).statusCode).toBe(404);
  });

  it('shows every queue and the ids in a job, but no message text', async () => {
    const { apiKey } = await createTestAccount(server, { credits: 5 });
    const text = 'A text that nobody should read';
    const { message_id: messageId } = (await server.send({ to: '+14155550142', message: text, apikey: apiKey })).json<{
      message_id: string;
    }>();
    const queue = server.named<Queue<DispatchPayload>>(getQueueToken(queueNames.dispatch));
    await eventually('the job is enqueued', async () => (await queue.getJobCountByTypes('prioritized')) > 0);
    const answer = await open('/api/queues?activeQueue=dispatch&status=latest&page=1&jobsPerPage=10');
    expect(answer.statusCode).toBe(200);
    const { queues } = answer.json<{ queues: { name: string; readOnlyMode: boolean; jobs: { data: string }[] }[] }>();
    expect(queues.map(({ name, readOnlyMode }) => [name, readOnlyMode])).toEqual([
      ['dispatch', true],
      ['mail', true],
      ['webhooks', true],
      ['credits-added', true],
      ['media', true],
    ]);
    const [job] = queues.flatMap(({ jobs }) => jobs);
    const id = messageId.slice(2);
    expect(JSON.stringify(job).replaceAll('-', '')).toContain(id);
    for (const secret of [text, '4155550142', apiKey]) expect(answer.body).not.toContain(secret);
  });

  it.each(['PUT', 'POST', 'PATCH', 'DELETE'] as const)('changes nothing by %s', async (method) => {
    for (const path of ['/api/queues/dispatch/pause', '/api/queues/pause', '/api/queues/dispatch/empty']) {
      const answer = await server.inject({ method, url: `${BOARD}${path}`, headers: basic(PASSWORD) });
      expect([404, 405]).toContain(answer.statusCode);
    }
    const queue = server.named<Queue>(getQueueToken(queueNames.dispatch));
    expect(await queue.isPaused()).toBe(false);
  });

  it.each([
    ['none', {}],
    ['another', basic('not-the-password')],
    ['its beginning', basic(PASSWORD.slice(0, -1))],
    ['an empty one', basic('')],
    ['a token in its place', { authorization: `Bearer ${PASSWORD}` }],
  ])('asks for the password when given %s, also for scripts and data', async (_title, headers) => {
    for (const path of ['', '/api/queues', '/static/favicon.ico']) {
      const answer = await open(path, headers);
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toMatch(/^Basic realm=/);
    }
  });

  it('blocks an address after too many wrong passwords and no other address', async () => {
    const from = (remoteAddress: string, password: string) =>
      server.inject({ url: BOARD, headers: basic(password), remoteAddress });
    const statuses: number[] = [];
    for (let guess = 0; guess < 12; guess += 1) statuses.push((await from('203.0.113.7', `guess ${guess}`)).statusCode);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429]);
    const right = await from('203.0.113.7', PASSWORD);
    expect([right.statusCode, Number(right.headers['retry-after'])]).toEqual([429, expect.any(Number)]);
    expect((await from('203.0.113.8', PASSWORD)).statusCode).toBe(200);
  });
});

it('is disabled without a password', async () => {
  const bed = await createTestBed();
  const server = await createTestServer(bed.config());
  try {
    for (const path of [BOARD, `${BOARD}/`, `${BOARD}/api/queues`])
      expect((await server.inject({ url: path, headers: basic('') })).statusCode).toBe(404);
  } finally {
    await server.close();
    await bed.remove();
  }
});
