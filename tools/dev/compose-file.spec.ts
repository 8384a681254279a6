import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { variablesOfPage } from '../testkit/configuration-page.js';

/** A service as far as these tests read it. */
interface Service {
  readonly image?: string;
  readonly build?: { readonly target: string; readonly args?: Record<string, string> };
  readonly command?: string[];
  readonly depends_on?: Record<string, { readonly condition: string }>;
  readonly deploy?: {
    readonly replicas?: string | number;
    readonly resources?: { readonly limits?: { readonly memory?: string } };
  };
  readonly entrypoint?: string[];
  readonly env_file?: string[];
  readonly environment?: Record<string, string>;
  readonly healthcheck?: object;
  readonly networks?: string[] | Record<string, object>;
  readonly ports?: string[];
  readonly profiles?: string[];
  readonly secrets?: string[];
  readonly volumes?: string[];
}

const read = (name: string) => readFileSync(join(process.cwd(), name), 'utf8');
const {
  services,
  networks,
  volumes: knownVolumes,
} = parse(read('docker-compose.yml'), { merge: true, maxAliasCount: 1_000 }) as {
  services: Record<string, Service>;
  networks: object;
  volumes: object;
};
const own = ['migrate', 'distribute', 'server', 'worker', 'sandbox'];

// Whether Compose takes the file, and whether the product runs from it, is tested by
// e2e/resilience/containers.spec.ts.
describe('docker-compose.yml', () => {
  it('names services, networks and volumes that exist', () => {
    for (const service of Object.values(services)) {
      for (const name of Object.keys(service.depends_on ?? {})) expect(services).toHaveProperty(name);
      const used = Array.isArray(service.networks) ? service.networks : Object.keys(service.networks ?? {});
      for (const name of used) expect(networks).toHaveProperty(name);
      const named = (service.volumes ?? [])
        .map((volume) => volume.split(':')[0] ?? '')
        .filter((one) => /^\w/.test(one));
      for (const name of named) expect(knownVolumes).toHaveProperty(name);
    }
  });

  it('has every file that it mounts or reads', () => {
    const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(':')[0] ?? ''),
    );
    const settings = Object.values(services).flatMap(({ env_file: files = [] }) => files);
    const paths = [
      ...mounted.filter((path) => path.startsWith('./')),
      ...settings.filter((path) => !path.startsWith('${')),
    ];
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !existsSync(join(process.cwd(), path)))).toEqual([]);
  });

  it('pins every image of others to a version', () => {
    const images = Object.values(services).flatMap(({ image, build }) => (build ? [] : (image ?? '')));
    expect(images).toHaveLength(14);
    for (const image of images) expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?(-\w+)?$/);
    expect(read('Dockerfile')).toMatch(/^ARG NODE_VERSION=\d+\.\d+\.\d+$/m);
  });

  it('takes no settings by default: without ENV_FILE it names the file for real and the one to try', () => {
    for (const name of ['migrate', 'distribute', 'server', 'worker']) {
      const [file, ...others] = services[name]?.env_file ?? [];
      expect(others).toEqual([]);
      expect(file).toMatch(
        /^\$\{ENV_FILE:\?[^}]*ENV_FILE=\.env [^}]*ENV_FILE=sandbox\.env [^}]*docs\/first-deployment\.md\}$/,
      );
    }
    expect(services['sandbox']?.env_file).toEqual(['sandbox.env']);
    expect(read('.env.example')).toMatch(/^ENV_FILE=\.env$/m);
    const [, line = ''] =
      /```sh\n(\(echo .*)\ndocker compose --profile sandbox up\n```/.exec(read('docs/first-deployment.md')) ?? [];
    const made = execFileSync('sh', ['-c', line.replace('> .env', '')], { encoding: 'utf8' });
    const values = parseEnv(made) as Record<string, string>;
    const { ENV_FILE: file, DATABASE_URL: app, MIGRATION_DATABASE_URL: migrator, ...passwords } = values;
    expect(file).toBe('sandbox.env');
    expect(app).toBe(`postgres://pennytext_app:${passwords['APP_PASSWORD']}@postgres:5432/pennytext`);
    expect(migrator).toBe(`postgres://pennytext_migrator:${passwords['MIGRATOR_PASSWORD']}@postgres:5432/pennytext`);
    const given = Object.entries(services['roles']?.environment ?? {}).flatMap(([, value]) =>
      [...value.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name = '']) => name),
    );
    expect(Object.keys(passwords).toSorted()).toEqual(given.toSorted());
    expect(new Set(Object.values(passwords)).size).toBe(5);
    for (const password of Object.values(passwords)) expect(password).toMatch(/^\w{48}$/);
  });

  it('gives server and worker no password but that of the role that reads and writes rows', () => {
    const others = ['MIGRATION_DATABASE_URL', 'POSTGRES', 'MIGRATOR', 'READER', 'BACKUP'];
    for (const name of ['server', 'worker'])
      for (const other of others.map((role) => (role.endsWith('_URL') ? role : `${role}_PASSWORD`)))
        expect(services[name]?.environment).toMatchObject({ [other]: '' });
  });

  it('starts Postgres with the settings that the manual explains, and enough connections for its examples', () => {
    const manual = read('docs/operating.md');
    const [node, ...args] = services['postgres']?.command ?? [];
    expect(node).toBe('postgres');
    const settings = args.filter((arg) => arg !== '-c').map((arg) => arg.split('='));
    const section = /## Settings of Postgres\n([\s\S]*?)\n## /.exec(manual)?.[1] ?? '';
    const explained = [...section.matchAll(/^\| `(\w+)` +\| (\S+) +\|/gm)].map(([, name, value]) => [name, value]);
    expect(explained).toEqual(settings);
    const examples = [...section.matchAll(/^\| (\d+) +\| (\d+) +\| (\d+) +\|$/gm)].map((row) =>
      row.slice(1).map(Number),
    );
    expect(examples.length).toBeGreaterThan(3);
    const most = Number(Object.fromEntries(settings)['max_connections']);
    for (const [servers = 0, workers = 0, connections = 0] of examples) {
      expect(connections).toBe(40 + 10 * (servers + workers));
      expect(connections).toBeLessThanOrEqual(most);
    }
  });

  it('has no default password', () => {
    const text = read('docker-compose.yml');
    const defaults = [...text.matchAll(/\$\{([A-Z0-9_]+):?[-+]([^}]*)\}/g)].map(([, name = '', value = '']) => ({
      name,
      value,
    }));
    const secrets = defaults.filter(({ name, value }) => /PASSWORD|SECRET|TOKEN|KEY|_URL$/.test(name) && value !== '');
    expect(secrets).toEqual([]);
    expect(text).toMatch(/POSTGRES_PASSWORD: \$\{POSTGRES_PASSWORD:\?/);
    for (const name of ['migrate', 'server', 'worker'])
      expect(services[name]?.environment?.['DATABASE_URL']).toMatch(/^\$\{DATABASE_URL:\?/);
    expect(read('sandbox.env')).not.toMatch(/^(DATABASE_URL|POSTGRES_PASSWORD)=/m);
    // Grafana would take its own default for an empty password.
    expect(services['grafana']?.entrypoint?.join(' ')).toContain('-n "$$GF_SECURITY_ADMIN_PASSWORD"');
  });

  it.each(Object.keys(services))('runs %s read-only, without privileges and with a memory limit', (name) => {
    const service = services[name];
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service?.deploy?.resources?.limits?.memory).toMatch(/^\d+[mg]$/);
    expect(service?.healthcheck).toBeDefined();
  });

  it('takes the number of servers and workers from .env, so that no `up` undoes it', () => {
    expect(services['server']?.deploy?.replicas).toBe('${SERVERS:-1}');
    expect(services['worker']?.deploy?.replicas).toBe('${WORKERS:-1}');
    for (const name of ['server', 'worker']) expect(services[name]).not.toHaveProperty('container_name');
    expect(services['worker']).not.toHaveProperty('ports');
    const pages = readdirSync('docs').filter((name) => name.endsWith('.md'));
    const scaling = [...pages.map((name) => `docs/${name}`), 'README.md', 'docker-compose.yml'];
    expect(scaling.filter((name) => read(name).includes('--scale'))).toEqual([]);
  });

  it('runs the product from an image without the sandbox, which has its own', () => {
    for (const name of ['migrate', 'distribute', 'server', 'worker'])
      expect(services[name]).toMatchObject({
        image: 'pennytext:${PENNYTEXT_VERSION:-local}',
        build: { target: 'runtime', args: { VERSION: '${PENNYTEXT_VERSION:-local}' } },
      });
    expect(services['sandbox']).toMatchObject({
      image: 'pennytext-sandbox:${PENNYTEXT_VERSION:-local}',
      build: { target: 'sandbox' },
    });
  });

  it('starts server and worker only after the migrations have succeeded', () => {
    expect(services['migrate']).toMatchObject({ restart: 'no' });
    for (const name of ['server', 'worker'])
      expect(services[name]?.depends_on).toMatchObject({ migrate: { condition: 'service_completed_successfully' } });
  });

  it('opens ports to this machine only', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports).toHaveLength(5);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });

  it('starts our programs from files that the build writes', () => {
    for (const name of own) {
      const [node, file = ''] = services[name]?.command ?? [];
      expect(node).toBe('node');
      const source = file.replace(/^dist\//, '').replace(/\.js$/, '.ts');
      expect([file, existsSync(join(process.cwd(), source))]).toEqual([file, true]);
    }
  });

  it('starts the sandbox and the observation only when asked for', () => {
    expect(Object.keys(services).filter((name) => !services[name]?.profiles)).toEqual([
      'postgres',
      'redis',
      'roles',
      'migrate',
      'server',
      'worker',
    ]);
    expect(services['sandbox']?.profiles).toEqual(['sandbox']);
    const observing = Object.keys(services).filter((name) => services[name]?.profiles?.includes('observe'));
    expect(observing).toEqual([
      'prometheus',
      'alertmanager',
      'postgres-exporter',
      'redis-exporter',
      'node-exporter',
      'blackbox-exporter',
      'grafana',
    ]);
  });
});

describe('ops/compose/secrets.yml', () => {
  const override = parse(read('ops/compose/secrets.yml')) as {
    services: Record<string, Service>;
    secrets: Record<string, { file: string }>;
  };
  const { secrets: secretVariables } = variablesOfPage(process.cwd());

  it('gives every program the same secrets as files, and no other way', () => {
    const names = override.services['server']?.secrets ?? [];
    expect(names).toContain('API_KEY_HASH_SECRET');
    expect(names.filter((name) => !secretVariables.includes(name))).toEqual([]);
    const environment = Object.fromEntries(
      names.flatMap((name) => [
        [name, ''],
        [`${name}_FILE`, `/run/secrets/${name}`],
      ]),
    );
    expect(Object.keys(override.services)).toEqual(['migrate', 'server', 'worker', 'backup']);
    for (const service of Object.values(override.services)) expect(service).toEqual({ environment, secrets: names });
  });

  it('reads files that docs/operating.md makes', () => {
    const made = [...read('docs/operating.md').matchAll(/ > secrets\/([A-Z0-9_]+)$/gm)].map(([, name = '']) => name);
    expect(made.toSorted()).toEqual(Object.keys(override.secrets).toSorted());
    for (const [name, { file }] of Object.entries(override.secrets)) expect(file).toBe(`./secrets/${name}`);
  });
});

const hasCompose = spawnSync('docker-compose', ['version']).status === 0;
const isCi = process.env['CI'] !== undefined && process.platform === 'linux';
// Compose needs no engine; CI has it from Debian's packages.
const whereCompose = hasCompose || isCi ? describe : describe.skip;

whereCompose('docker-compose config', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pennytext-compose-'));
    // docker-compose 1, which Debian has, does not know the project's `name`.
    // In place of a developer's own .env.
    writeFileSync(join(folder, 'empty.env'), '');
    writeFileSync(join(folder, 'compose.yml'), read('docker-compose.yml').replace(/^name:.*\n/m, ''));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const config = (env: Record<string, string>, ...files: string[]) => {
    const args = [join(folder, 'compose.yml'), ...files].flatMap((file) => ['--file', file]);
    const { status, stdout, stderr } = spawnSync(
      'docker-compose',
      ['--env-file', join(folder, 'empty.env'), '--project-directory', process.cwd(), ...args, 'config'],
      { env: { PATH: process.env['PATH'] ?? '', ...env }, encoding: 'utf8' },
    );
    return { status, stderr, services: (parse(stdout) as { services: typeof services } | null)?.services ?? {} };
  };
  const passwords = execFileSync('ops/postgres/passwords.sh', { encoding: 'utf8' });
  const required: Record<string, string> = { ENV_FILE: 'sandbox.env' };
  for (const [name, value = ''] of Object.entries(parseEnv(passwords))) required[name] = value;

  it('accepts the file and counts replicas as .env does', () => {
    const { status, stderr, services: one } = config(required);
    expect([status, stderr]).toEqual([0, '']);
    expect(one['server']?.deploy?.replicas).toBe(1);
    const { services: several } = config({ ...required, SERVERS: '2', WORKERS: '3', SERVER_PORTS: '3000-3001' });
    expect([several['server']?.deploy?.replicas, several['worker']?.deploy?.replicas]).toEqual([2, 3]);
  });

  it('names what is missing', () => {
    const { status, stderr } = config({ ...required, ENV_FILE: '' });
    expect(status).not.toBe(0);
    expect(stderr).toContain('ENV_FILE=.env for real');
  });

  it('accepts the file of secrets over it, whose files win over .env', () => {
    const { status, stderr, services: withFiles } = config(required, 'ops/compose/secrets.yml');
    expect([status, stderr]).toEqual([0, '']);
    for (const name of ['migrate', 'server', 'worker'])
      expect(withFiles[name]?.environment).toMatchObject({
        API_KEY_HASH_SECRET: '',
        API_KEY_HASH_SECRET_FILE: '/run/secrets/API_KEY_HASH_SECRET',
      });
  });
});

describe('.dockerignore', () => {
  it('excludes everything but what the build reads, and no secret, data or test', () => {
    const lines = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines[0]).toBe('*');
    const kept = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
    for (const path of kept) expect([path, existsSync(join(process.cwd(), path))]).toEqual([path, true]);
    const others = kept.filter((path) => path !== 'tools/dev/bundle.mjs');
    expect(others.filter((path) => /^(\.|node_modules|dist|e2e|tools|sandbox\.env)/.test(path))).toEqual([]);
    expect(lines).toEqual(
      expect.arrayContaining(['**/*.spec.ts', '**/testing', '**/node_modules', '**/dist', '**/.env']),
    );
  });
});
