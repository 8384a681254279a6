import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { Metrics } from './metrics.js';

const root = `${__dirname}/../../..`;
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');

/** A recording rule. */
interface Recorded {
  readonly record: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
}
interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook: string };
}
interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly w: number };
  readonly targets?: readonly { readonly expr: string }[];
}

const alerts = (parse(read('ops/prometheus/alerts.yml')) as { groups: { rules: Alert[] }[] }).groups.flatMap(
  ({ rules }) => rules,
);
const recorded = (parse(read('ops/prometheus/recording.yml')) as { groups: { rules: Recorded[] }[] }).groups.flatMap(
  ({ rules }) => rules,
);
const { panels } = JSON.parse(read('ops/grafana/dashboards/pennytext.json')) as { panels: Panel[] };
const expressions = [
  ...alerts.map(({ alert, expr }) => [`alert ${alert}`, expr] as const),
  ...recorded.map(({ record, labels, expr }) => [`record ${record} ${Object.values(labels ?? {})[0]}`, expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [`panel ${title}`, expr] as const)),
];

/** Functions and keywords of PromQL that the expressions use. */
const promQl = (
  'sum max min count rate increase changes histogram_quantile topk predict_linear avg_over_time max_over_time ' +
  'min_over_time count_over_time time vector absent by on le or and unless up'
).split(' ');
/** Labels that Prometheus and the registry add to every series. */
const everywhere = ['job', 'instance', 'process', 'le'];

/** Names of all series of the registry, with their labels. */
const series = new Map<string, readonly string[]>();
const metrics = new Metrics('server');
metrics.collectDefaults();
for (const metric of metrics.registry.getMetricsAsArray()) {
  const { name, type } = metric;
  const labels = 'labelNames' in metric ? (metric.labelNames as string[]) : [];
  const isHistogram = String(type) === 'histogram' || metric.constructor.name === 'Histogram';
  for (const full of isHistogram ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name])
    series.set(full, [...labels, ...everywhere]);
}

for (const { record, labels = {} } of recorded) series.set(record, [...Object.keys(labels), ...everywhere, 'slo']);
// start.sh writes this rule, from .env.
series.set('pennytext:instances:expected', everywhere);
/**
 * Series of the exporters in docker-compose.yml, of Alertmanager and of `admin backup verify`, with
 * their labels.
 */
const ofOthers: Readonly<Record<string, readonly string[]>> = {
  alertmanager_notifications_failed_total: ['integration'],
  node_filesystem_avail_bytes: ['fstype', 'mountpoint'],
  node_filesystem_size_bytes: ['fstype', 'mountpoint'],
  pg_replication_lag_seconds: [],
  pg_replication_slot_slot_is_active: ['slot_name'],
  pg_settings_archive_timeout_seconds: [],
  pg_settings_max_connections: [],
  pg_stat_archiver_failed_count: [],
  pg_stat_archiver_last_archive_age: [],
  pg_stat_database_numbackends: ['datname'],
  pg_up: [],
  probe_ssl_earliest_cert_expiry: [],
  probe_success: [],
  redis_memory_max_bytes: [],
  redis_memory_used_bytes: [],
  redis_up: [],
};
for (const [name, labels] of Object.entries(ofOthers)) series.set(name, [...labels, ...everywhere]);

/** Returns the series names in an expression: all names but PromQL's and labels. */
function namesIn(expr: string): string[] {
  const bare = expr
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\boffset \w+/g, '')
    .replaceAll(/\b(by|on) \([^)]*\)/g, '');
  return [...bare.matchAll(/[a-zA-Z_][\w:]*/g)].map(([name]) => name).filter((name) => !promQl.includes(name));
}

/** Returns each selected series of an expression with the labels of its matchers. */
function chosenBy(expr: string): [string, string[]][] {
  return [...expr.matchAll(/([\w:]+)\{([^}]*)\}/g)].map(([, name = '', matchers = '']) => [
    name,
    [...matchers.matchAll(/(\w+)(?:=|!=|=~|!~)"/g)].map(([, label = '']) => label),
  ]);
}

describe('alerts and dashboard', () => {
  it('exist', () => {
    expect(alerts.length).toBeGreaterThan(10);
    expect(expressions.length).toBeGreaterThan(alerts.length + 20);
  });

  it.each(expressions)('%s queries only known metrics', (_title, expr) => {
    const names = namesIn(expr);
    for (const name of names) expect([...series.keys()]).toContain(name);
    for (const [name, labels] of chosenBy(expr)) {
      if (name === 'up') continue;
      for (const label of labels) expect(series.get(name)).toContain(label);
    }
  });

  it.each(expressions)('%s groups by labels that its metrics have', (_title, expr) => {
    const groups = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', '));
    const known = new Set([...everywhere, ...namesIn(expr).flatMap((name) => series.get(name) ?? [])]);
    for (const label of groups) expect([...known]).toContain(label);
  });

  it.each(expressions)('%s has balanced brackets', (_title, expr) => {
    for (const [open, close] of ['()', '{}', '[]'])
      expect(expr.split(open ?? '').length).toBe(expr.split(close ?? '').length);
  });

  it('every alert has a severity, a summary and a runbook section', () => {
    const sections = [...read('docs/incidents.md').matchAll(/^## (.+)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    );
    for (const { alert, labels, annotations } of alerts) {
      expect(alert === 'Heartbeat' ? ['none'] : ['page', 'ticket']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/\.$|\?$/);
      const [file, anchor] = annotations.runbook.split('#');
      expect(file).toBe('docs/incidents.md');
      expect(sections).toContain(anchor);
    }
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  });

  it('Prometheus scrapes every container of server and worker with the token, and each exporter', () => {
    const { scrape_configs, rule_files, alerting } = parse(read('ops/prometheus/prometheus.yml')) as {
      scrape_configs: {
        job_name: string;
        authorization?: { credentials_file: string };
        dns_sd_configs?: { names: string[]; type: string; port: number }[];
        static_configs?: { targets: string[] }[];
        file_sd_configs?: object[];
        relabel_configs?: { target_label: string; replacement?: string }[];
      }[];
      rule_files: string[];
      alerting: { alertmanagers: { static_configs: { targets: string[] }[] }[] };
    };
    const [server, worker, ...others] = scrape_configs;
    for (const [job, name, port] of [
      [server, 'server', 3000],
      [worker, 'worker', 3001],
    ] as const)
      expect(job).toMatchObject({
        job_name: name,
        authorization: { credentials_file: '/tmp/metrics-token' },
        dns_sd_configs: [{ names: [name], type: 'A', port }],
      });
    const asked = others.flatMap(({ static_configs = [], relabel_configs = [] }) => [
      ...static_configs.flatMap(({ targets }) => targets),
      ...relabel_configs.flatMap(({ replacement = [] }) => replacement),
    ]);
    const { services } = parse(read('docker-compose.yml'), { merge: true, maxAliasCount: 1_000 }) as {
      services: Record<string, { profiles?: string[] }>;
    };
    const observing = Object.keys(services).filter((name) => services[name]?.profiles?.includes('observe'));
    expect(new Set(asked.map((target) => target.split(':')[0]))).toEqual(
      new Set(observing.filter((name) => !['prometheus', 'grafana'].includes(name))),
    );
    expect(alerting.alertmanagers[0]?.static_configs[0]?.targets).toEqual(['alertmanager:9093']);
    expect(rule_files).toEqual(['/etc/prometheus/alerts.yml', '/etc/prometheus/recording.yml', '/tmp/expected.yml']);
  });

  it('the histograms have the bounds of the objectives as buckets', async () => {
    metrics.httpRequests.observe({ method: 'POST', route: '/text', status_class: '2xx' }, 1);
    metrics.dispatchLatency.observe({ kind: 'otp' }, 1);
    const text = await metrics.registry.metrics();
    const selectors = recorded.flatMap(({ expr }) =>
      [...expr.matchAll(/(\w+_bucket)\{[^}]*le=~?"([\d.]+)/g)].map(([, name = '', bound = '']) => [name, bound]),
    );
    expect(selectors.map(([, bound]) => bound)).toEqual(['0.25', '5', '2']);
    for (const [name, bound] of selectors) expect(text).toMatch(new RegExp(`^${name}\\{le="${bound}",`, 'm'));
  });

  it('the objective of acceptance names the routes that send one message', () => {
    const controllers = ['api', 'compatible'].flatMap((folder) =>
      readdirSync(`${root}/server/${folder}`)
        .filter((name) => name.endsWith('.controller.ts'))
        .map((name) => read(`server/${folder}/${name}`)),
    );
    const routes = recorded.flatMap(({ expr }) => [...expr.matchAll(/route=~"([^"]+)"/g)].map(([, route]) => route));
    expect(new Set(routes).size).toBe(1);
    const names = ['sendsms', 'sendotp', 'resendotp', 'text', 'generate', 'Messages.json'];
    for (const name of names) {
      expect(routes[0]).toMatch(new RegExp(`[/(|]${name}(\\||\\)|$)`));
      expect(controllers.filter((text) => text.includes(`@Post('${name}')`))).toHaveLength(1);
    }
  });

  it('Grafana has its Prometheus, and the dashboard uses it', () => {
    const { datasources } = parse(read('ops/grafana/provisioning/datasources/prometheus.yml')) as {
      datasources: { uid: string; type: string }[];
    };
    expect(datasources).toMatchObject([{ uid: 'prometheus', type: 'prometheus' }]);
    const { providers } = parse(read('ops/grafana/provisioning/dashboards/pennytext.yml')) as {
      providers: { options: { path: string } }[];
    };
    expect(providers[0]?.options.path).toBe('/var/lib/grafana/dashboards');
    const asked = [...read('ops/grafana/dashboards/pennytext.json').matchAll(/"uid": "(\w+)"/g)].map(([, uid]) => uid);
    expect(new Set(asked)).toEqual(new Set(['prometheus', 'pennytext']));
  });

  it('panels have unique ids and do not overlap', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });
});
