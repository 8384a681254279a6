import { execFile, execFileSync, spawn, type ChildProcess, type ExecFileOptions } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { until } from '../../tools/testkit/until.js';
import { findNginx, Nginx } from '../testing/nginx.js';
import { ProxiedLoad } from '../testing/proxied-load.js';

/**
 * Builds the images with a real container engine, starts docker-compose.yml with its sandbox
 * profile and two servers, sends the README's message, and deploys a new image under load.
 *
 * It needs Docker, docker-compose and debootstrap: with CONTAINERS=1 a Debian machine installs them
 * and starts an engine (as root); otherwise the test runs where an engine is running already and is
 * skipped elsewhere. Base images that are missing are made locally (container-images/make.sh),
 * because image registries may be out of reach.
 */
const execute = promisify(execFile);
const repository = join(import.meta.dirname, '..', '..');
const folder = join(tmpdir(), `pennytext-containers-${process.pid}`);
/**
 * Settings without a default in docker-compose.yml, as docs/first-deployment.md makes them, and two
 * servers that are replaced one by one.
 */
const env: Readonly<Record<string, string | undefined>> & { readonly ENV_FILE: string } = {
  ...process.env,
  ENV_FILE: join(folder, 'sandbox.env'),
  ...parseEnv(execFileSync(join(repository, 'ops/postgres/passwords.sh'), { encoding: 'utf8' })),
  SERVERS: '2',
  SERVER_PORTS: '3000-3001',
  WORKERS: '2',
};
const run = (command: string, args: string[], options: ExecFileOptions = {}) =>
  execute(command, args, { env, ...options, encoding: 'utf8' });
const BUILD_MS = 15 * 60_000;
const START_MS = 5 * 60_000;
const REQUESTS = 5_000;

const compose = [
  '--project-name=pennytext-test',
  `--project-directory=${repository}`,
  `--file=${join(folder, 'compose.yml')}`,
];
let engine: ChildProcess | undefined;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  test.setTimeout(BUILD_MS);
  mkdirSync(folder);
  if (!(await answers('docker', 'info')) && process.env['CONTAINERS'] === '1') await startEngine();
  test.skip(!(await answers('docker', 'info')), 'no container engine is running; CONTAINERS=1 installs and starts one');
  // docker-compose 1, which Debian has, does not know the project's `name`.
  const file = readFileSync(join(repository, 'docker-compose.yml'), 'utf8').replace(/^name:.*\n/m, '');
  writeFileSync(join(folder, 'compose.yml'), file);
  const settings = [
    'DRAIN_SECONDS=5',
    'TRUST_PROXY=1',
    'ADJUSTMENT_APPROVAL_CREDITS=0',
    'RATE_LIMIT_KEY_PER_SECOND=0',
    'RATE_LIMIT_ADDRESS_PER_SECOND=0',
  ];
  const sandboxSettings = readFileSync(join(repository, 'sandbox.env'), 'utf8');
  writeFileSync(env.ENV_FILE, `${sandboxSettings}${settings.join('\n')}\n`);
});

test.afterAll(async () => {
  test.setTimeout(START_MS);
  if (await answers('docker', 'info'))
    await run('docker-compose', [...compose, '--profile', 'sandbox', '--profile', 'backup', 'down', '--volumes']);
  if (engine) {
    const ended = new Promise((resolve) => engine?.once('close', resolve));
    engine.kill('SIGTERM');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

test('docker build makes the image and that of the sandbox', async () => {
  test.setTimeout(BUILD_MS);
  await run(join(import.meta.dirname, 'container-images', 'make.sh'), [join(folder, 'base')], { timeout: BUILD_MS });
  await buildImage('sandbox', 'pennytext-sandbox:local', 'first');
  await buildImage('runtime', 'pennytext:local', 'first');
  await buildImage('backup', 'pennytext-backup:local', 'first');
  const { stdout } = await run('docker', ['image', 'inspect', 'pennytext:local', '--format', '{{json .Config}}']);
  expect(JSON.parse(stdout)).toMatchObject({
    User: 'node',
    Cmd: ['node', 'dist/server/main.js'],
    Labels: {
      'org.opencontainers.image.title': 'Pennytext',
      'org.opencontainers.image.licenses': 'MIT',
      'org.opencontainers.image.version': '0.1.0',
      'org.opencontainers.image.revision': 'first',
      'org.opencontainers.image.source': 'https://git.example.com/pennytext',
    },
  });
});

test('the image holds what runs and nothing else, and runs without root', async () => {
  const inImage = async (command: string) =>
    (await run('docker', ['run', '--rm', '--network=none', 'pennytext:local', 'sh', '-c', command])).stdout.trim();
  expect(await inImage('id -u')).not.toBe('0');
  expect((await inImage('ls /app')).split(/\s+/)).toEqual(['dist', 'node_modules', 'package.json']);
  expect(
    await inImage("find /app -path '*/node_modules' -prune -o -name '*.ts' -print -o -name '*.spec.*' -print"),
  ).toBe('');
  const programs = ['admin', 'core', 'programs', 'server', 'web', 'worker'];
  expect((await inImage('ls /app/dist')).split(/\s+/)).toEqual(programs);
  expect(await inImage('touch /app/dist/server/main.js 2>/dev/null || echo refused')).toBe('refused');
  const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: true; dependencies?: Record<string, string> }>;
  };
  const inside = new Set((await inImage('cd /app/node_modules && ls -d * @*/*')).split(/\s+/));
  expect(Object.keys(packages['']?.dependencies ?? {}).filter((name) => !inside.has(name))).toEqual([]);
  const development = Object.entries(packages).flatMap(([path, { dev }]) =>
    dev ? path.replace('node_modules/', '') : [],
  );
  expect(development.length).toBeGreaterThan(100);
  expect(development.filter((name) => inside.has(name))).toEqual([]);
});

test('docker-compose refuses to start without ENV_FILE, and names what to set', async () => {
  const refusal = run('docker-compose', [...compose, 'config', '--quiet'], { env: { ...env, ENV_FILE: '' } });
  await expect(refusal).rejects.toThrow('ENV_FILE=.env for real');
});

test('docker-compose starts the product, and the README’s message is delivered', async ({ request }) => {
  test.setTimeout(START_MS);
  await run('docker-compose', [...compose, '--profile', 'sandbox', 'up', '--detach', '--no-build'], {
    timeout: START_MS,
  });
  const { apiKey } = await createAccount('ada@example.com', 5);

  const form = { to: '2025550142', message: 'Hello from the README', apikey: apiKey };
  await expect
    .poll(async () => (await request.get('http://127.0.0.1:3000/readyz').catch(() => undefined))?.status(), {
      timeout: 90_000,
    })
    .toBe(200);
  const sent = await request.post('http://127.0.0.1:3000/api/sendsms', { form });
  expect(await sent.json()).toMatchObject({ success: 'true', credits: 1 });
  const { message_id: id } = (await sent.json()) as { message_id: string };
  const message = async () =>
    (
      await request.get(`http://127.0.0.1:3000/api/messages/${id}`, { headers: { authorization: `Bearer ${apiKey}` } })
    ).json();
  await expect.poll(message, { timeout: 90_000 }).toMatchObject({ status: 'delivered', credits: 1 });
  expect(await (await request.get('http://127.0.0.1:4000/_control/messages?to=%2B12025550142')).json()).toMatchObject([
    { body: 'Hello from the README' },
  ]);
});

test('server and worker know no password but their role’s, which cannot change the schema', async () => {
  const inService = async (service: string, ...command: string[]) =>
    (await run('docker-compose', [...compose, 'exec', '-T', service, ...command])).stdout;
  for (const service of ['server', 'worker']) {
    const printed = await inService(service, 'printenv');
    const others = ['POSTGRES', 'MIGRATOR', 'READER', 'BACKUP'].map((role) => env[`${role}_PASSWORD`] ?? '');
    expect(printed).toContain(env['APP_PASSWORD']);
    expect(others.filter((word) => word === '' || printed.includes(word))).toEqual([]);
  }
  const owned = `SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'`;
  const psql = ['psql', '--username=pennytext', '--tuples-only', '--no-align', '--command'];
  expect((await inService('postgres', ...psql, owned)).trim()).toBe('pennytext_migrator');
  const changed = inService('postgres', ...psql, 'SET ROLE pennytext_app; CREATE TABLE mine (id integer)');
  await expect(changed).rejects.toThrow('permission denied for schema public');
});

test('the service backup makes a dump at once and another one by hand, and both are whole', async () => {
  test.setTimeout(START_MS);
  const inProfile = [...compose, '--profile', 'backup'];
  await run('docker-compose', [...inProfile, 'up', '--detach', '--no-build', 'backup'], { timeout: START_MS });
  const inBackup = (...command: string[]) => run('docker-compose', [...inProfile, 'exec', '-T', 'backup', ...command]);
  const logs = async () => (await run('docker-compose', [...inProfile, 'logs', '--no-color', 'backup'])).stdout;
  await expect.poll(logs, { timeout: 120_000 }).toContain('"verified": true');
  const manual = readFileSync(join(repository, 'docs/backup.md'), 'utf8');
  const [, command = ''] = /^docker compose exec backup (bash \S+backup\.sh)$/m.exec(manual) ?? [];
  const { stdout } = await inBackup(...command.split(' '));
  expect(JSON.parse(stdout)).toMatchObject({ verified: true, mismatches: 0, rows: { accounts: 1, messages: 1 } });
  expect((await inBackup('ls', '/backups')).stdout.trim().split('\n')).toHaveLength(2);
});

test('an `up` without options keeps two servers and two workers', async () => {
  test.setTimeout(START_MS);
  const up = ['--profile', 'sandbox', 'up', '--detach', '--no-build'];
  await run('docker-compose', [...compose, ...up], { timeout: START_MS });
  expect([await idsOf('server'), await idsOf('worker')]).toEqual([
    [expect.any(String), expect.any(String)],
    [expect.any(String), expect.any(String)],
  ]);
});

test('a new image is deployed under load, and none of 5,000 requests fails', async () => {
  test.setTimeout(BUILD_MS);
  test.skip(findNginx() === undefined, 'this machine has no nginx');
  const { email, apiKey } = await createAccount('rolling@example.com', REQUESTS * 20);
  await admin('account', 'limit', email, String(REQUESTS * 20));
  await buildImage('runtime', 'pennytext:local', 'second');
  const before = [...(await idsOf('server')), ...(await idsOf('worker'))];
  const nginx = await Nginx.start({ serverPorts: [3000, 3001], logFile: test.info().outputPath('nginx.log') });
  const load = new ProxiedLoad(nginx, apiKey);
  const more = (count: number, after: number) =>
    until(`${count} more requests are answered`, () => load.answered >= after + count, { timeoutMs: START_MS });
  try {
    await more(200, 0);
    await run(join(repository, 'ops/compose/rolling-deploy.sh'), [], {
      env: { ...env, COMPOSE: ['docker-compose', ...compose].join(' '), ROTATION: nginx.rotation },
      timeout: BUILD_MS,
    });
    await more(REQUESTS, 0);
    await more(200, load.answered);
    const outcomes = await load.stop();
    expect(outcomes.filter(({ kind }) => kind !== 'accepted')).toEqual([]);
  } finally {
    await load.stop();
    await nginx.stop();
  }
  const after = [...(await idsOf('server')), ...(await idsOf('worker'))];
  expect(after).toHaveLength(4);
  expect(after.filter((id) => before.includes(id))).toEqual([]);
  const revision = '--format={{index .Config.Labels "org.opencontainers.image.revision"}}';
  const { stdout } = await run('docker', ['inspect', revision, ...after]);
  expect(stdout.trim().split('\n')).toEqual(after.map(() => 'second'));
});

test('SIGTERM ends server, worker and sandbox with exit code 0', async () => {
  test.setTimeout(START_MS);
  const ids = (await Promise.all(['server', 'worker', 'sandbox'].map(idsOf))).flat();
  expect(ids).toHaveLength(5);
  await run('docker', ['stop', '--time=90', ...ids], { timeout: START_MS });
  const { stdout } = await run('docker', ['inspect', '--format={{.State.ExitCode}}', ...ids]);
  expect(stdout.trim().split('\n')).toEqual(ids.map(() => '0'));
});

async function buildImage(target: string, tag: string, revision: string): Promise<void> {
  const labels = ['VERSION=0.1.0', `REVISION=${revision}`, 'SOURCE=https://git.example.com/pennytext'];
  const args = labels.flatMap((label) => ['--build-arg', label]);
  await run('docker', ['build', '--network=host', `--target=${target}`, `--tag=${tag}`, ...args, '.'], {
    cwd: repository,
    env: { ...process.env, DOCKER_BUILDKIT: '0' },
    maxBuffer: 64 * 1024 * 1024,
    timeout: BUILD_MS,
  });
}

/** The containers of a service. */
async function idsOf(service: string): Promise<string[]> {
  const { stdout } = await run('docker-compose', [...compose, 'ps', '--quiet', service]);
  return stdout.trim().split('\n');
}

/** Runs an operator's command in one of the servers and returns the JSON that it printed. */
async function admin(...args: string[]): Promise<unknown> {
  const [server = ''] = await idsOf('server');
  return JSON.parse(
    (await run('docker', ['exec', server, 'node', 'dist/admin/main.js', '--as', 'ada', ...args])).stdout,
  );
}

function createAccount(email: string, credits: number): Promise<{ email: string; apiKey: string }> {
  const created = admin('account', 'create', '--email', email, '--credits', String(credits));
  return created as Promise<{ email: string; apiKey: string }>;
}

async function answers(command: string, ...args: string[]): Promise<boolean> {
  return run(command, args).then(
    () => true,
    () => false,
  );
}

/** Installs an engine from Debian's packages and starts it with a data folder of its own. */
async function startEngine(): Promise<void> {
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  const packages = ['docker.io', 'docker-compose', 'debootstrap', 'iptables'];
  await run('apt-get', ['update', '-qq'], options);
  await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options);
  engine = spawn('dockerd', ['--data-root', join(folder, 'engine')], { stdio: 'ignore' });
  await expect.poll(() => answers('docker', 'info'), { timeout: 60_000 }).toBe(true);
}
