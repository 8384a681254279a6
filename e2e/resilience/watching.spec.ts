import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { parse, stringify } from 'yaml';
import { freePort } from '../../tools/testkit/ports.js';
import { answersOk, Program } from '../../tools/testkit/program.js';
import { findCommand } from '../../tools/testkit/redis.js';
import { CutConnections } from '../../tools/testkit/cut-connections.js';
import { repository } from '../testing/repository.js';
import { Stack } from '../testing/stack.js';
import { WebhookReceiver } from '../testing/webhook-receiver.js';

/**
 * Prometheus and Alertmanager as docker-compose.yml starts them, with their start scripts and the
 * shipped rules, beside a running product. Only addresses and intervals differ. Five faults are
 * prepared; each is named to the operator's webhook.
 */
const prometheus = findCommand('prometheus');
const alertmanager = findCommand('prometheus-alertmanager', 'alertmanager');
const TOKEN = 'token-of-the-operator';
/** The shipped 15 s would make the test wait; the rules' own times are unchanged. */
const INTERVAL = '3s';
const NAMED_WITHIN_MS = 90_000;

interface Alert {
  readonly status: string;
  readonly labels: { readonly alertname: string; readonly severity: string };
  readonly annotations: { readonly runbook: string };
}

let stack: Stack | undefined;
let database: CutConnections | undefined;
let receiver: WebhookReceiver | undefined;
const programs: Program[] = [];
let prometheusUrl: string;

test.describe.configure({ mode: 'serial' });
test.skip(!prometheus || !alertmanager, 'prometheus or alertmanager is not installed');

test.beforeAll(async () => {
  const folder = test.info().outputPath('watching');
  mkdirSync(folder, { recursive: true });
  const logFolder = test.info().outputPath('logs');
  const env = { METRICS_TOKEN: TOKEN, LEDGER_CHECK_SECONDS: '5' };
  stack = await Stack.start({ servers: 1, receiptDelayMs: 100, logFolder, env });
  // The server keeps its own way to the database, and only the worker's is cut.
  const url = new URL(stack.environment['DATABASE_URL'] ?? '');
  database = await CutConnections.to(Number(url.port || 5432));
  url.port = new URL(database.url).port;
  stack.useDatabase(url.href);
  await stack.startWorker();

  receiver = await WebhookReceiver.start({ failures: 0, answerAfterMs: 0 });
  const alertmanagerPort = await freePort();
  await startWatching('alertmanager', alertmanagerPort, alertmanager ?? '', folder, {
    variables: { ALERT_WEBHOOK_URL: receiver.url },
    args: [
      `--config.file=${join(folder, 'alertmanager.yml')}`,
      `--storage.path=${join(folder, 'alertmanager')}`,
      '--cluster.listen-address=',
    ],
  });

  const config = parse(
    readFileSync(join(repository, 'ops/prometheus/prometheus.yml'), 'utf8')
      .replaceAll('/tmp/', `${folder}/`)
      .replaceAll('/etc/prometheus', join(repository, 'ops/prometheus'))
      .replaceAll('alertmanager:9093', `127.0.0.1:${alertmanagerPort}`),
  ) as { global: object; scrape_configs: { job_name: string; dns_sd_configs?: object }[] };
  const targets: Record<string, string> = { server: stack.url, worker: stack.workerUrls[0] ?? '' };
  const file = join(folder, 'prometheus.yml');
  writeFileSync(
    file,
    stringify({
      ...config,
      global: { scrape_interval: INTERVAL, evaluation_interval: INTERVAL },
      scrape_configs: config.scrape_configs
        .filter(({ job_name: job }) => ['server', 'worker', 'alertmanager'].includes(job))
        .map(({ dns_sd_configs: found, ...job }) =>
          found ? { ...job, static_configs: [{ targets: [new URL(targets[job.job_name] ?? '').host] }] } : job,
        ),
    }),
  );
  const prometheusPort = await freePort();
  prometheusUrl = `http://127.0.0.1:${prometheusPort}`;
  await startWatching('prometheus', prometheusPort, prometheus ?? '', folder, {
    variables: { METRICS_TOKEN: TOKEN, PUBLIC_URL: 'https://sms.example.com' },
    args: [`--config.file=${file}`, `--storage.tsdb.path=${join(folder, 'prometheus')}`],
  });
});

test.afterAll(async () => {
  for (const program of programs) await program.stop();
  database?.heal();
  await stack?.stop();
  await database?.stop();
  await receiver?.stop();
});

test('Prometheus reads the metrics of server and worker with the token of .env', async () => {
  if (!stack) throw new Error('The product has not started.');
  expect((await fetch(`${stack.url}/metrics`)).status).toBe(404);
  await expect.poll(() => valuesOf('up{job=~"server|worker|alertmanager"}')).toEqual(['1', '1', '1']);
  await expect.poll(() => valuesOf('pennytext:instances:up == pennytext:instances:expected')).toEqual(['1', '1']);
});

test('each of five faults is named to the operator', async () => {
  if (!stack || !database) throw new Error('The product has not started.');
  const account = await stack.account(10);

  await stack.carrier.misbehave('suspended');
  await stack.api.send({ apikey: account.apiKey, to: '+12025550142', message: 'Hello' });
  await named('DispatchPaused', 'page');

  await stack.sql('UPDATE credit_accounts SET balance = balance + 1, purchased = purchased + 1', []);
  await named('LedgerMismatch', 'page');

  database.cut();
  await named('PostgresDown', 'page');
  database.heal();

  await stack.program('redis').stop();
  await named('RedisDown', 'page');

  await stack.program('worker').stop('SIGKILL');
  await named('NoWorker', 'page');
});

test('the command of the manual sends a test to the receiver', async () => {
  const [, line = ''] =
    /^docker compose exec alertmanager (amtool .*)$/m.exec(
      readFileSync(join(repository, 'docs/operating.md'), 'utf8'),
    ) ?? [];
  const url = programs[0]?.name ?? '';
  const command = line.replace('http://127.0.0.1:9093', url);
  const program = new Program({ name: 'amtool', command: 'sh', args: ['-c', command], onLine: () => undefined });
  expect(await program.ended).toMatchObject({ code: 0 });
  await named('Test', 'page');
});

/** Starts a program by its start script; its name is its address. */
async function startWatching(
  name: 'prometheus' | 'alertmanager',
  port: number,
  command: string,
  folder: string,
  { variables, args }: { variables: Record<string, string>; args: readonly string[] },
): Promise<void> {
  const url = `http://127.0.0.1:${port}`;
  const program = new Program({
    name: url,
    command: 'sh',
    args: [join(repository, 'ops', name, 'start.sh'), command, ...args, `--web.listen-address=127.0.0.1:${port}`],
    env: { ...variables, WATCHING_FILES: folder },
    logFile: join(folder, `${name}.log`),
  });
  programs.push(program);
  await program.ready(() => answersOk(`${url}/-/ready`));
}

async function valuesOf(query: string): Promise<string[]> {
  const answer = await fetch(`${prometheusUrl}/api/v1/query?query=${encodeURIComponent(query)}`);
  const { data } = (await answer.json()) as { data: { result: { value: [number, string] }[] } };
  return data.result.map(({ value: [, value] }) => value);
}

/** Waits until the receiver has got the alert. */
async function named(alertname: string, severity: string): Promise<void> {
  const received = () =>
    (receiver?.calls ?? []).flatMap(({ body }) => (JSON.parse(body) as { alerts: Alert[] }).alerts);
  await expect
    .poll(() => received().map(({ labels }) => `${labels.alertname} ${labels.severity}`), { timeout: NAMED_WITHIN_MS })
    .toContain(`${alertname} ${severity}`);
}
