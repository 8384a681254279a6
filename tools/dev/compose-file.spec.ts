import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** A service as far as these tests read it. */
interface Service {
  readonly image?: string;
  readonly build?: object;
  readonly command?: string[];
  readonly depends_on?: Record<string, { readonly condition: string }>;
  readonly deploy?: { readonly resources?: { readonly limits?: { readonly memory?: string } } };
  readonly entrypoint?: string[];
  readonly env_file?: string[];
  readonly environment?: Record<string, string>;
  readonly healthcheck?: object;
  readonly networks?: string[] | Record<string, object>;
  readonly ports?: string[];
  readonly profiles?: string[];
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
    expect(images).toHaveLength(13);
    for (const image of images) expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?(-\w+)?$/);
    expect(read('Dockerfile')).toMatch(/^ARG NODE_VERSION=\d+\.\d+\.\d+$/m);
  });

  it('takes no settings by default: without ENV_FILE it names the file for real and the one to try', () => {
    for (const name of ['migrate', 'distribute', 'server', 'worker']) {
      const [file, ...others] = services[name]?.env_file ?? [];
      expect(others).toEqual([]);
      expect(file).toMatch(
        /^\$\{ENV_FILE:\?[^}]*ENV_FILE=\.env [^}]*ENV_FILE=sandbox\.env [^}]*docs\/operating\.md\}$/,
      );
    }
    expect(services['sandbox']?.env_file).toEqual(['sandbox.env']);
    expect(read('.env.example')).toMatch(/^ENV_FILE=\.env$/m);
    const [, line = ''] =
      /```sh\n(pw=.*)\ndocker compose --profile sandbox up\n```/.exec(read('docs/operating.md')) ?? [];
    const made = execFileSync('sh', ['-c', line.replace('> .env', '')], { encoding: 'utf8' });
    expect(made).toMatch(
      /^ENV_FILE=sandbox\.env\nPOSTGRES_PASSWORD=(\w{48})\nDATABASE_URL=postgres:\/\/pennytext:\1@postgres:5432\/pennytext\n$/,
    );
  });

  it('has no default password', () => {
    const text = read('docker-compose.yml');
    const defaults = [...text.matchAll(/\$\{([A-Z_]+):?[-+]([^}]*)\}/g)].map(([, name = '', value = '']) => ({
      name,
      value,
    }));
    const secrets = defaults.filter(({ name, value }) => /PASSWORD|SECRET|TOKEN|KEY|_URL$/.test(name) && value !== '');
    expect(secrets).toEqual([]);
    expect(text).toMatch(/POSTGRES_PASSWORD: \$\{POSTGRES_PASSWORD:\?/);
    for (const name of ['migrate', 'server', 'worker'])
      expect(services[name]?.environment?.['DATABASE_URL']).toMatch(/^\$\{DATABASE_URL:\?/);
    expect(read('sandbox.env')).not.toMatch(/^(DATABASE_URL|POSTGRES_PASSWORD)=/m);
    // Grafana would take its own default for an empty one.
    expect(services['grafana']?.entrypoint?.join(' ')).toContain('-n "$$GF_SECURITY_ADMIN_PASSWORD"');
  });

  it.each(Object.keys(services))('runs %s read-only, without privileges and with a memory limit', (name) => {
    const service = services[name];
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service?.deploy?.resources?.limits?.memory).toMatch(/^\d+[mg]$/);
    expect(service?.healthcheck).toBeDefined();
  });

  it('lets workers scale: they have no name and no port', () => {
    expect(services['worker']).not.toHaveProperty('container_name');
    expect(services['worker']).not.toHaveProperty('ports');
    expect(services['server']).not.toHaveProperty('container_name');
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
