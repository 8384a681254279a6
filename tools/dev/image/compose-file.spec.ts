import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { composeFaults, readCompose } from './compose-file.js';

const read = (name: string) => readFileSync(join(process.cwd(), name), 'utf8');
const text = read('docker-compose.yml');
const { services } = readCompose(text);
const own = ['migrate', 'server', 'worker', 'sandbox'];

/** Compose itself, where the machine has its plug-in. */
function asComposeReads(source: string): { code: number | null; faults: string } | undefined {
  if (spawnSync('docker', ['compose', 'version']).status !== 0) return undefined;
  const args = ['compose', '--profile', 'sandbox', '--profile', 'observe', '-f', '-', 'config', '--quiet'];
  const { status, stderr } = spawnSync('docker', args, { input: source, encoding: 'utf8' });
  return { code: status, faults: stderr };
}

describe('docker-compose.yml', () => {
  it('is of the form that Compose takes', () => {
    expect(composeFaults(text)).toEqual([]);
    expect(asComposeReads(text)?.code ?? 0).toBe(0);
  });

  it.each([
    ['an unknown key', '    init: true', '    innit: true'],
    ['a condition that does not exist', 'service_completed_successfully', 'service_done'],
    ['a duration without a unit', 'stop_grace_period: 40s', "stop_grace_period: '40'"],
    ['a port that is none', '127.0.0.1:4000:4000', '127.0.0.1:4000:http'],
    ['a service without an image', 'image: redis:7.4.6-bookworm', 'restart: always'],
    ['a dependency that is not there', 'postgres: { condition', 'postgress: { condition'],
    ['a volume that is not there', "'redis:/data'", "'rediss:/data'"],
    ['a network that is not there', 'networks: [data]', 'networks: [dat]'],
    ['YAML that cannot be read', 'services:', 'services: ['],
  ])('is refused with %s', (_what, right, wrong) => {
    // The indentation of fragments differs from that of services.
    const broken = text.replace(
      text.includes(right) ? right : right.trim(),
      text.includes(right) ? wrong : wrong.trim(),
    );
    expect(broken).not.toBe(text);
    expect(composeFaults(broken)).not.toEqual([]);
    expect(asComposeReads(broken)?.code ?? 1).not.toBe(0);
  });

  it('has every file that it mounts or reads', () => {
    const mounted = Object.values(services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(':')[0] ?? ''),
    );
    const settings = Object.values(services).flatMap(({ env_file: files = [] }) => files);
    const paths = [
      ...mounted.filter((path) => path.startsWith('./')),
      ...settings.map((path) => path.replace(/^\$\{.*:-(.*)\}$/, '$1')),
    ];
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !existsSync(join(process.cwd(), path)))).toEqual([]);
  });

  it('pins every image that is not ours to a version', () => {
    const images = Object.values(services).flatMap(({ image, build }) => (build ? [] : (image ?? '')));
    expect(images).toHaveLength(4);
    for (const image of images) expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?(-\w+)?$/);
    expect(read('Dockerfile')).toMatch(/^ARG NODE_VERSION=\d+\.\d+\.\d+$/m);
  });

  it.each(Object.keys(services))('keeps %s from writing, from rights and from memory without end', (name) => {
    const service = services[name];
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service?.deploy?.resources?.limits?.memory).toMatch(/^\d+[mg]$/);
    expect(service?.healthcheck).toBeDefined();
  });

  it('lets workers be as many as are wanted: no name and no port of their own', () => {
    expect(services['worker']).not.toHaveProperty('container_name');
    expect(services['worker']).not.toHaveProperty('ports');
    expect(services['server']).not.toHaveProperty('container_name');
  });

  it('starts server and worker only after the migrations have ended well', () => {
    expect(services['migrate']).toMatchObject({ restart: 'no' });
    for (const name of ['server', 'worker'])
      expect(services[name]?.depends_on).toMatchObject({ migrate: { condition: 'service_completed_successfully' } });
  });

  it('opens ports to this machine alone', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports).toHaveLength(4);
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

  it('stands alone: without Redis’ or Postgres’ port open, and with sandbox and observation only when asked for', () => {
    expect(Object.keys(services).filter((name) => !services[name]?.profiles)).toEqual([
      'postgres',
      'redis',
      'migrate',
      'server',
      'worker',
    ]);
    expect(services['sandbox']?.profiles).toEqual(['sandbox']);
    expect(services['prometheus']?.profiles).toEqual(['observe']);
    expect(services['grafana']?.profiles).toEqual(['observe']);
  });
});
