import { execFile, execFileSync, spawn, type ChildProcess, type ExecFileOptions } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { expect, test } from '@playwright/test';

/**
 * Builds the image with a real container engine, starts docker-compose.yml with its sandbox
 * profile, and sends the README's message.
 *
 * It needs Docker, docker-compose and debootstrap: with CONTAINERS=1 a Debian machine installs them
 * and starts an engine (as root); otherwise the test runs where an engine is running already and is
 * skipped elsewhere. Base images that are missing are made locally (container-images/make.sh),
 * because image registries may be out of reach.
 */
const execute = promisify(execFile);
const repository = join(import.meta.dirname, '..', '..');
/** What docker-compose.yml has no default for, as docs/operating.md makes it. */
const env: Readonly<Record<string, string | undefined>> = {
  ...process.env,
  ENV_FILE: 'sandbox.env',
  ...parseEnv(execFileSync(join(repository, 'ops/postgres/passwords.sh'), { encoding: 'utf8' })),
};
const run = (command: string, args: string[], options: ExecFileOptions = {}) =>
  execute(command, args, { env, ...options, encoding: 'utf8' });
const BUILD_MS = 15 * 60_000;
const START_MS = 5 * 60_000;

const folder = join(tmpdir(), `pennytext-containers-${process.pid}`);
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

test('docker build makes the image', async () => {
  test.setTimeout(BUILD_MS);
  await run(join(import.meta.dirname, 'container-images', 'make.sh'), [join(folder, 'base')], { timeout: BUILD_MS });
  for (const [target, name] of [
    ['runtime', 'pennytext'],
    ['backup', 'pennytext-backup'],
  ])
    await run('docker', ['build', '--network=host', `--target=${target}`, `--tag=${name}:local`, '.'], {
      cwd: repository,
      env: { ...process.env, DOCKER_BUILDKIT: '0' },
      maxBuffer: 64 * 1024 * 1024,
      timeout: BUILD_MS,
    });
  const { stdout } = await run('docker', ['image', 'inspect', 'pennytext:local', '--format', '{{json .Config}}']);
  expect(JSON.parse(stdout)).toMatchObject({ User: 'node', Cmd: ['node', 'dist/server/main.js'] });
});

test('the image holds what runs and nothing else, and runs without root', async () => {
  const inImage = async (command: string) =>
    (await run('docker', ['run', '--rm', '--network=none', 'pennytext:local', 'sh', '-c', command])).stdout.trim();
  expect(await inImage('id -u')).not.toBe('0');
  expect((await inImage('ls /app')).split(/\s+/)).toEqual(['dist', 'node_modules', 'package.json']);
  expect(
    await inImage("find /app -path '*/node_modules' -prune -o -name '*.ts' -print -o -name '*.spec.*' -print"),
  ).toBe('');
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
  const { stdout } = await run('docker-compose', [
    ...compose,
    'exec',
    '-T',
    'server',
    'node',
    'dist/admin/main.js',
    'account',
    'create',
    '--email',
    'ada@example.com',
    '--credits',
    '5',
  ]);
  const { apiKey } = JSON.parse(stdout) as { apiKey: string };

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

test('SIGTERM ends server, worker and sandbox with exit code 0', async () => {
  test.setTimeout(START_MS);
  const names = ['server', 'worker', 'sandbox'];
  const ids = await Promise.all(
    names.map(async (name) => (await run('docker-compose', [...compose, 'ps', '--quiet', name])).stdout.trim()),
  );
  await run('docker', ['stop', '--time=60', ...ids], { timeout: START_MS });
  const { stdout } = await run('docker', ['inspect', '--format={{.State.ExitCode}}', ...ids]);
  expect(stdout.trim().split('\n')).toEqual(names.map(() => '0'));
});

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
