import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { Metrics } from './metrics.js';

const root = `${__dirname}/../../..`;
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');

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
const { panels } = JSON.parse(read('ops/grafana/dashboards/pennytext.json')) as { panels: Panel[] };
const expressions = [
  ...alerts.map(({ alert, expr }) => [`alert ${alert}`, expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [`panel ${title}`, expr] as const)),
];

/** Functions and keywords of PromQL that the expressions use. */
const promQl =
  'sum max min count rate increase histogram_quantile topk by le or unless time vector absent max_over_time up'.split(
    ' ',
  );
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

/** Returns the series names in an expression: all names but PromQL's and labels. */
function namesIn(expr: string): string[] {
  const bare = expr
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\bby \([^)]*\)/g, '');
  return [...bare.matchAll(/[a-zA-Z_]\w*/g)].map(([name]) => name).filter((name) => !promQl.includes(name));
}

/** Returns each selected series of an expression with the labels of its matchers. */
function chosenBy(expr: string): [string, string[]][] {
  return [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].map(([, name = '', matchers = '']) => [
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
    for (const { labels, annotations } of alerts) {
      expect(['page', 'ticket']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/\.$|\?$/);
      const [file, anchor] = annotations.runbook.split('#');
      expect(file).toBe('docs/incidents.md');
      expect(sections).toContain(anchor);
    }
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  });

  it('Prometheus scrapes every container of server and worker and loads the alerts', () => {
    const { scrape_configs, rule_files } = parse(read('ops/prometheus/prometheus.yml')) as {
      scrape_configs: { job_name: string; dns_sd_configs: { names: string[]; type: string; port: number }[] }[];
      rule_files: string[];
    };
    expect(scrape_configs.map(({ job_name, dns_sd_configs: [found] }) => [job_name, found])).toEqual([
      ['server', expect.objectContaining({ names: ['server'], type: 'A', port: 3000 })],
      ['worker', expect.objectContaining({ names: ['worker'], type: 'A', port: 3001 })],
    ]);
    expect(rule_files).toEqual(['/etc/prometheus/alerts.yml']);
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
