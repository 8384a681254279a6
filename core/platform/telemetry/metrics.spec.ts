import { readFileSync } from 'node:fs';
import { Metrics } from './metrics.js';

interface Described {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  readonly labels: readonly string[];
}

const doc = readFileSync(`${__dirname}/../../../docs/metrics.md`, 'utf8');

/** The registry does not report labels of metrics without values. */
function described(): Described[] {
  return Object.values(new Metrics('server'))
    .filter((part): part is Described & { labelNames: string[] } => typeof part === 'object' && 'labelNames' in part)
    .map(({ name, help, labelNames, constructor }) => ({
      name,
      type: constructor.name.toLowerCase(),
      help,
      labels: labelNames,
    }));
}

describe('the metrics', () => {
  it('match the table of docs/metrics.md in name, type, labels and help', () => {
    const rows = described().map(
      ({ name, type, labels, help }) =>
        `${name} | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help}`,
    );
    const written = [...doc.matchAll(/^\| `(pennytext_\w+)` +\| (\w+) +\| (.*?) +\| (.*?) +\|$/gm)].map(
      ([, name, type, labels, help]) => `${name} | ${type} | ${labels?.trim()} | ${help}`,
    );
    expect(written).toEqual(rows);
  });

  it.each(described().map((metric) => [metric.name, metric] as const))(
    '%s is named by the conventions of Prometheus',
    (name, { type }) => {
      expect(name).toMatch(/^pennytext_[a-z_]+$/);
      expect(name.endsWith('_total')).toBe(type === 'counter');
      expect(name).not.toMatch(/_(ms|milliseconds|minutes|kb|percent)(_|$)/);
    },
  );
});
