import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { findCommand } from '../testkit/redis.js';

interface RuleTest {
  readonly alert_rule_test: readonly { readonly alertname: string; readonly exp_alerts?: readonly object[] }[];
}

const ops = join(process.cwd(), 'ops');
const read = (path: string) => readFileSync(join(ops, path), 'utf8');
const alerts = (parse(read('prometheus/alerts.yml')) as { groups: { rules: { alert: string }[] }[] }).groups.flatMap(
  ({ rules }) => rules.map(({ alert }) => alert),
);
const testFiles = readdirSync(join(ops, 'prometheus/tests')).map((name) => `prometheus/tests/${name}`);
const cases = testFiles.flatMap((file) =>
  (parse(read(file)) as { tests: RuleTest[] }).tests.flatMap(({ alert_rule_test: tests }) => tests),
);

const promtool = findCommand('promtool');
const amtool = findCommand('amtool');
const PROMTOOL_MS = 120_000;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pennytext-watching-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a start.sh with these variables; `cat` in place of the program shows that it has written its file. */
function start(program: 'prometheus' | 'alertmanager', variables: Record<string, string>, file: string) {
  const env = { PATH: process.env['PATH'], WATCHING_FILES: folder, ...variables };
  return spawnSync('sh', [join(ops, program, 'start.sh'), 'cat', join(folder, file)], { encoding: 'utf8', env });
}

describe('the alerts', () => {
  it('are each tested: once when they fire, and once when they do not', () => {
    const firing = cases.filter(({ exp_alerts: expected = [] }) => expected.length > 0);
    const quiet = cases.filter(({ exp_alerts: expected = [] }) => expected.length === 0);
    const names = (tests: readonly { alertname: string }[]) => [...new Set(tests.map(({ alertname }) => alertname))];
    expect(names(firing).toSorted()).toEqual(alerts.toSorted());
    // Only the heartbeat always fires.
    expect(names(quiet).toSorted()).toEqual(alerts.filter((name) => name !== 'Heartbeat').toSorted());
  });

  (promtool ? it.each(testFiles) : it.skip.each(testFiles))(
    'fire and stay quiet as %s expects',
    (file) => {
      const { stdout, stderr, status } = spawnSync(promtool ?? '', ['test', 'rules', join(ops, file)], {
        encoding: 'utf8',
      });
      expect([status, status === 0 ? '' : stdout + stderr]).toEqual([0, '']);
    },
    PROMTOOL_MS,
  );
});

describe('Prometheus', () => {
  const real = { PUBLIC_URL: 'https://sms.example.com', METRICS_TOKEN: 'token-of-the-operator', WORKERS: '4' };

  (promtool ? it : it.skip)('takes its configuration and rules as start.sh completes them', () => {
    expect(start('prometheus', real, 'expected.yml').status).toBe(0);
    const config = read('prometheus/prometheus.yml')
      .replaceAll('/tmp/', `${folder}/`)
      .replaceAll('/etc/prometheus', join(ops, 'prometheus'));
    const file = join(folder, 'prometheus.yml');
    writeFileSync(file, config);
    const checked = execFileSync(promtool ?? '', ['check', 'config', file], { encoding: 'utf8' });
    expect(checked).toContain('3 rule files found');
  });

  it('gets the token, the expected numbers of processes and the public address from .env', () => {
    const { status, stdout } = start('prometheus', real, 'expected.yml');
    expect(status).toBe(0);
    const { groups } = parse(stdout) as { groups: { rules: object[] }[] };
    expect(groups[0]?.rules).toEqual([
      { record: 'pennytext:instances:expected', expr: 'vector(1)', labels: { job: 'server' } },
      { record: 'pennytext:instances:expected', expr: 'vector(4)', labels: { job: 'worker' } },
    ]);
    expect(readFileSync(join(folder, 'metrics-token'), 'utf8')).toBe(real.METRICS_TOKEN);
    expect(statSync(join(folder, 'metrics-token')).mode & 0o777).toBe(0o600);
    const targets = JSON.parse(readFileSync(join(folder, 'public.json'), 'utf8')) as object;
    expect(targets).toEqual([{ targets: ['https://sms.example.com/healthz'] }]);
  });

  it('does not start without the token behind https, where the server would show it nothing', () => {
    const { status, stderr } = start('prometheus', { ...real, METRICS_TOKEN: '' }, 'expected.yml');
    expect([status, stderr]).toEqual([1, 'Set METRICS_TOKEN in .env: openssl rand -hex 24\n']);
  });

  it('takes the token from a file', () => {
    const file = join(folder, 'secret');
    writeFileSync(file, `${real.METRICS_TOKEN}\n`);
    const variables = { PUBLIC_URL: real.PUBLIC_URL, METRICS_TOKEN: '', METRICS_TOKEN_FILE: file };
    expect(start('prometheus', variables, 'metrics-token')).toMatchObject({ status: 0, stdout: real.METRICS_TOKEN });
  });

  it('needs no token for the sandbox, and probes no public address', () => {
    expect(start('prometheus', {}, 'public.json')).toMatchObject({ status: 0, stdout: '[]\n' });
    expect(start('prometheus', { PUBLIC_URL: 'http://localhost:3000' }, 'public.json').stdout).toBe('[]\n');
  });
});

it.each(['prometheus', 'alertmanager'])('docker-compose.yml gives the start script of %s what it reads', (program) => {
  const { services } = parse(readFileSync('docker-compose.yml', 'utf8'), { merge: true, maxAliasCount: 1_000 }) as {
    services: Record<string, { environment?: object; entrypoint?: string[] }>;
  };
  const readByScript = [...read(`${program}/start.sh`).matchAll(/\$\{([A-Z_]+):-/g)].map(([, name]) => name);
  // A NAME_FILE is for an installation that mounts the file as well.
  const own = new Set(readByScript.filter((name) => name !== 'WATCHING_FILES' && !name?.endsWith('_FILE')));
  expect(new Set(Object.keys(services[program]?.environment ?? {}))).toEqual(own);
  expect(services[program]?.entrypoint).toEqual(['/bin/sh', `/etc/${program}/start.sh`, `/bin/${program}`]);
});

interface Receiver {
  readonly name: string;
  readonly webhook_configs?: readonly { readonly url: string }[];
  readonly email_configs?: readonly object[];
}

describe('Alertmanager', () => {
  const webhook = { ALERT_WEBHOOK_URL: "https://hooks.example.com/it's?a=1&b='2'" };
  const email = {
    ALERT_EMAIL_TO: 'ops@example.com',
    ALERT_EMAIL_FROM: 'Alerts <alerts@example.com>',
    ALERT_SMTP_HOST: 'mail.example.com:587',
  };
  const login = { ALERT_SMTP_USER: 'ops', ALERT_SMTP_PASSWORD: 'pa\'ss"w:ord # $1 \\n' };
  const all = {
    ...webhook,
    ...email,
    ...login,
    ALERT_HEARTBEAT_URL: 'https://beat.example.com/1',
    ALERTS_OFF: 'BackupOld, BackupMissing',
  };
  const configOf = (variables: Record<string, string>) => {
    const { status, stdout, stderr } = start('alertmanager', variables, 'alertmanager.yml');
    expect([status, stderr]).toEqual([0, '']);
    return parse(stdout) as { receivers: Receiver[]; route: { receiver: string; routes: object[] } };
  };

  it.each([
    ['a webhook', webhook],
    ['an email address', email],
    ['a mail server with a login', { ...email, ...login }],
    ['everything', all],
  ])('takes the configuration for %s', (_title, variables) => {
    configOf(variables);
    if (amtool) execFileSync(amtool, ['check-config', join(folder, 'alertmanager.yml')], { encoding: 'utf8' });
  });

  it('sends to the receivers of .env, whatever characters their values have', () => {
    const { receivers, route } = configOf(all);
    expect(route.receiver).toBe('operator');
    expect(receivers.find(({ name }) => name === 'operator')).toEqual({
      name: 'operator',
      webhook_configs: [{ url: webhook.ALERT_WEBHOOK_URL }],
      email_configs: [
        expect.objectContaining({
          to: 'ops@example.com',
          from: email.ALERT_EMAIL_FROM,
          smarthost: 'mail.example.com:587',
          auth_username: 'ops',
          auth_password: login.ALERT_SMTP_PASSWORD,
        }),
      ],
    });
    expect(receivers.find(({ name }) => name === 'heartbeat')?.webhook_configs?.[0]?.url).toBe(
      'https://beat.example.com/1',
    );
  });

  it('takes secrets from files', () => {
    const secrets = {
      ALERT_WEBHOOK_URL: webhook.ALERT_WEBHOOK_URL,
      ALERT_SMTP_PASSWORD: login.ALERT_SMTP_PASSWORD,
      ALERT_HEARTBEAT_URL: all.ALERT_HEARTBEAT_URL,
    };
    const files = Object.entries(secrets).map(([name, value]) => {
      writeFileSync(join(folder, name), `${value}\n`);
      return [`${name}_FILE`, join(folder, name)];
    });
    const empty = Object.fromEntries(Object.keys(secrets).map((name) => [name, '']));
    expect(configOf({ ...all, ...empty, ...Object.fromEntries(files) })).toEqual(configOf(all));
  });

  it.each([
    ['NoServer', 'page', all, 'operator'],
    ['DiskFillsUp', 'ticket', all, 'operator'],
    ['Heartbeat', 'none', all, 'heartbeat'],
    ['Heartbeat', 'none', webhook, 'none'],
    ['BackupOld', 'ticket', all, 'none'],
    ['BackupMissing', 'ticket', all, 'none'],
    ['BackupMissing', 'ticket', webhook, 'operator'],
  ])('routes %s (%s) to the right receiver', (alertname, severity, variables, receiver) => {
    configOf(variables);
    if (!amtool) return;
    const file = `--config.file=${join(folder, 'alertmanager.yml')}`;
    const labels = [`alertname=${alertname}`, `severity=${severity}`];
    const routed = execFileSync(amtool, ['config', 'routes', 'test', file, ...labels], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    expect(routed.trim()).toBe(receiver);
  });

  it.each([
    ['a receiver', {}, 'Alerts need a receiver: set ALERT_WEBHOOK_URL or ALERT_EMAIL_TO in .env'],
    [
      'a mail server',
      { ALERT_EMAIL_TO: 'ops@example.com' },
      'ALERT_EMAIL_TO needs ALERT_SMTP_HOST and ALERT_EMAIL_FROM in .env',
    ],
  ])('does not start without %s, and names what to set', (_title, variables, message) => {
    const { status, stderr } = start('alertmanager', variables, 'alertmanager.yml');
    expect([status, stderr]).toEqual([1, `${message}\n`]);
  });

  it('inhibits alerts that exist', () => {
    const named = [...read('alertmanager/start.sh').matchAll(/alertname=~?"([\w|]+)"/g)].flatMap(([, names = '']) =>
      names.split('|'),
    );
    expect(named.length).toBeGreaterThan(5);
    for (const name of named) expect(alerts).toContain(name);
  });
});
