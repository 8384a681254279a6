import { readFileSync, writeFileSync } from 'node:fs';
import { readCosts } from '../costs/compare.js';
import { number, quantile } from './report.js';
import { mergeRun, readResults } from './results.js';

// `npm run -s docs:performance` writes the figures of docs/bench-results.json into
// docs/performance.md, docs/scaling.md and docs/very-large.md.
const docs = `${__dirname}/../../docs`;
const { runs } = readResults(`${docs}/bench-results.json`);
const figures = runs.flatMap((run) => run.figures);
type Measured = (typeof figures)[number];
const isCost = ({ part, unit, build }: Measured) => part === 'cost' && unit === 'CPU ms per 1,000' && !build;

const processes = ['server', 'worker', 'Redis', 'Postgres', 'smsbox', 'bearerbox'];
const msPerLetter = 25;
/** Peak of 100 million messages a day. */
const peakPerSecond = 5_800;
const count = (perSecond: number, what: string) => {
  const needed = Math.ceil(peakPerSecond / perSecond);
  return `${needed} ${what}${needed === 1 ? '' : 's'}`;
};
/** HTTP requests of a message, and the goal of its cost in empty handlers. */
const goals = {
  acceptance: { requests: 1, goal: 5 },
  'receipt that repeats a state': { requests: 1, goal: 1.5 },
  'receipt of a delivery': { requests: 1, goal: 1.5 },
  // The product answers the message and two receipts, and sends one request to the carrier.
  'whole lifecycle': { requests: 4, goal: 15 },
};
/** Setups of the bench with Citus: a plain Postgres first, for comparison. */
const setups = ['plain Postgres', 'one node, 6 groups', 'three nodes, 6 groups', 'three nodes, 48 groups'];
const citus = (name: string, setup: string) => figure('citus', `${name}, ${setup}`);
const citusCosts = [
  ['acceptance', ['server', 'Redis', 'Postgres', 'coordinator']],
  ['whole lifecycle', ['server', 'worker', 'Redis', 'Postgres', 'coordinator']],
] as const;
/** Messages a day, and the ratio of the busiest hour to the average hour. */
const days = [1e8, 1e9];
const peak = 5;
const secondsPerDay = 86_400;
/** Columns of the table of counts, with the figures that each adds up. */
const countedColumns = {
  Statements: ['statements'],
  Rows: ['rows'],
  'Log bytes': ['log bytes'],
  'Redis commands': ['redis commands'],
  Jobs: ['jobs'],
  'HTTP requests': ['requests to the server', 'requests of the server', 'requests of the worker'],
} as const;
const allocated = ['allocated by the server', 'allocated by the worker'] as const;
const messageCosts = Object.entries(readCosts(readFileSync(`${docs}/costs.json`, 'utf8')).scenarios).filter(
  ([, counted]) => counted['statements'] !== undefined,
);
const shareOf = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : 0 });
/** Texts between `<!-- bench NAME -->` and `<!-- /bench -->`. */
const blocks: Readonly<Record<string, () => string>> = {
  costs: () =>
    table(
      ['Scenario', ...Object.keys(countedColumns), 'Server KiB', 'Worker KiB'],
      messageCosts.map(([name, counted]) => [
        name,
        ...Object.values(countedColumns).map((parts) =>
          shareOf(parts.reduce((sum, part) => sum + (counted[part] ?? 0), 0)),
        ),
        // Allocations of a single message depend on the state of the heap before it.
        ...allocated.map((part) => (counted[part] === undefined ? '' : number(counted[part] / 1_024))),
      ]),
    ),
  machine: () =>
    table(
      ['Parts', 'Date', 'Commit', 'Machine', 'Load before', 'Size'],
      runs.map(({ machine, figures: measured }) => [
        [...new Set(measured.map(({ part }) => part))].join(', '),
        machine['date'] ?? '',
        [machine['commit'], ...(machine['before'] ? [`and ${machine['before']}`] : [])].join(' '),
        machine['machine'] ?? '',
        machine['load']?.split(':')[0] ?? '',
        machine['size'] ?? '',
      ]),
    ),
  cost: () =>
    table(
      ['CPU ms per 1,000', 'Server', 'Worker', 'Redis', 'Postgres', 'Sum', 'Empty handlers'],
      figures.filter(isCost).map(({ name, value, by = {} }) => {
        const each = ['server', 'worker', 'Redis', 'Postgres'].map((process) =>
          by[process] ? number(by[process]) : '',
        );
        return [name, ...each, number(value), number(value / figure('cost', 'empty handler').value)];
      }),
    ),
  floor: () => {
    const empty = figure('cost', 'empty handler').value;
    return table(
      ['In empty handlers', 'HTTP', 'Postgres and Redis', 'Sum', 'Goal', 'Measured'],
      Object.entries(goals).map(([name, { requests, goal }]) => {
        const { value, by = {} } = figure('cost', name);
        const stores = ((by['Postgres'] ?? 0) + (by['Redis'] ?? 0)) / empty;
        return [name, ...[requests, stores, requests + stores, goal, value / empty].map((one) => number(one))];
      }),
    );
  },
  chart: () => {
    const rows = [
      ...['empty handler', 'acceptance', 'whole lifecycle'].map((name) => [name, figure('cost', name)] as const),
      ['Kannel', figure('peers', 'CPU of a message, Kannel')] as const,
    ];
    const lines = rows.map(([name, { value, by = {} }]) => {
      const bar = processes.map((process) => (process[0] ?? '').repeat(Math.round((by[process] ?? 0) / msPerLetter)));
      return `${name.padEnd(16)}${number(value).padStart(6)}  ${bar.join('')}`;
    });
    const legend =
      `one letter: ${msPerLetter} ms of CPU per 1,000; ` + processes.map((name) => `${name[0]} ${name}`).join(', ');
    return ['```', ...lines, '', legend, '```'].join('\n');
  },
  peers: () => {
    const kannel = figure('peers', 'Kannel').value;
    return table(
      ['50 connections, by wrk', 'Accepted per second', 'p50 ms', 'p99 ms', '× Kannel'],
      ['Kannel', 'acceptance', 'acceptance while dispatching'].map((name) => {
        const { value, p50Ms = NaN, p99Ms = NaN } = figure('peers', name);
        return [name, number(value), number(p50Ms), number(p99Ms), (value / kannel).toFixed(2)];
      }),
    );
  },
  bulk: () => {
    const single = figure('bulk', 'single sends').value;
    const kannel = figure('peers', 'Kannel').value;
    return table(
      ['50 connections; bulks of two accounts at once', 'Messages per second', '× single sends', '× Kannel'],
      ['single sends', 'messages in bulks'].map((name) => {
        const { value } = figure('bulk', name);
        return [name, number(value), (value / single).toFixed(1), (value / kannel).toFixed(1)];
      }),
    );
  },
  beside: () =>
    table(
      ['Single sends of other accounts', 'p99 ms'],
      ['alone', 'beside bulks'].map((name) => [name, number(figure('bulk', `single sends of others, ${name}`).value)]),
    ),
  pages: () => {
    const ofPages = (what: string) =>
      figures
        .filter(({ part, name }) => part === 'pages' && name.startsWith('/') && name.endsWith(` ${what}`))
        .filter(({ name }) => !name.startsWith('/dashboard'))
        .toSorted((one, other) => one.value - other.value);
    const pathOf = ({ name }: Measured) => name.split(' ')[0] ?? '';
    const [slowest, ...others] = ofPages('performance');
    const largest = ofPages('JavaScript').at(-1);
    if (!slowest || !largest) throw new Error('docs/bench-results.json lacks the pages');
    const reached = [slowest, ...others].filter(({ value }) => value >= 98).length;
    const worst = (name: string) => {
      const { value, note } = figure('pages', name);
      return [name, `${value} (${note})`];
    };
    const dashboard = figure('pages', '/dashboard interactive');
    return table(
      ['Lighthouse on a phone, median of three visits', ''],
      [
        ['public pages', String(others.length + 1)],
        ['performance 98 or more', `${reached} of them`],
        ['lowest performance', `${slowest.value} (${pathOf(slowest)})`],
        ...['lowest accessibility', 'lowest best practices', 'lowest SEO', 'largest layout shift'].map(worst),
        ['largest JavaScript, by gzip', `${number(largest.value)} kB (${pathOf(largest)})`],
        ['JavaScript of the dashboard', `${number(figure('pages', '/dashboard JavaScript').value)} kB`],
        ['dashboard interactive', `${number(dashboard.value)} ms (${dashboard.note})`],
      ],
    );
  },
  schedule: () =>
    table(
      ['Scheduled messages', ''],
      figures
        .filter(({ part }) => part === 'schedule')
        .map(({ name, value, unit, p99Ms, note = '' }) => {
          const p99 = p99Ms === undefined ? '' : `, p99 ${number(p99Ms)} ms`;
          return [name, `${number(value)} ${unit}${p99}${note && ` (${note})`}`];
        }),
    ),
  before: () => {
    const earlier = figures.filter(({ build }) => build === 'before');
    const ratioOf = ({ part, name, value }: Measured) => figure(part, name).value / value;
    const reads = earlier.filter(({ part, unit }) => part === 'dashboard' && unit === 'ms');
    const medianRow = (title: string, some: readonly Measured[]) => [
      `dashboard: ${title}, median`,
      `${number(
        quantile(
          some.map(({ value }) => value),
          0.5,
        ),
      )} ms`,
      `${number(
        quantile(
          some.map(({ part, name }) => figure(part, name).value),
          0.5,
        ),
      )} ms`,
      quantile(some.map(ratioOf), 0.5).toFixed(2),
    ];
    const isByOffset = ({ name }: Measured) => name.includes('OFFSET');
    return table(
      ['Figure', 'Before', 'Now', 'Now / before'],
      [
        ...earlier
          .filter(({ part }) => part !== 'dashboard')
          .map((one) => {
            const [before, now] = [one.value, figure(one.part, one.name).value].map(
              (value) => `${number(value)} ${one.unit}`,
            );
            return [`${one.part}: ${one.name}`, before ?? '', now ?? '', ratioOf(one).toFixed(2)];
          }),
        medianRow(
          'p95 of reads',
          reads.filter((one) => !isByOffset(one)),
        ),
        medianRow('the same SQL in both', reads.filter(isByOffset)),
      ],
    );
  },
  capacity: () => {
    const { value: one } = figure('accept', '1 account');
    const { value: many } = figure('accept', '100 accounts');
    const { value: sent } = figure('carrier', 'carrier that takes 100 ms');
    const { value: bytes } = figure('cost', 'write-ahead log of a message');
    return table(
      ['Figure', 'Measured', `For ${number(peakPerSecond)} per second`],
      [
        ['accepted by one server, 1 and 100 accounts', `${number(one)}/s and ${number(many)}/s`, count(many, 'server')],
        ['sent by one worker to a carrier that takes 100 ms', `${number(sent)}/s`, count(sent, 'worker')],
        [
          'write-ahead log of a message',
          `${number(bytes)} bytes`,
          `${number((peakPerSecond * bytes) / 1e6)} MB/s; ${number(bytes / 10)} GB per day of 100 million`,
        ],
      ],
    );
  },
  citus: () => {
    const row = (title: string, cell: (setup: string) => string) => [title, ...setups.map(cell)];
    const plain = (name: string) => citus(name, setups[0] ?? '').value;
    return table(
      ['', ...setups],
      [
        ...citusCosts.flatMap(([name, names]) => [
          ...names.map((process) =>
            row(`${name}, CPU ms per 1,000: ${process}`, (setup) => number(citus(name, setup).by?.[process] ?? 0)),
          ),
          row(`${name}: sum`, (setup) => number(citus(name, setup).value)),
          row(`${name}: × plain`, (setup) => (citus(name, setup).value / plain(name)).toFixed(2)),
        ]),
        row('statements of a message on its node', (setup) => number(citus('on the node of the account', setup).value)),
        row('statements of a message on the coordinator', (setup) =>
          setup === setups[0] ? '' : Math.max(0, citus('on the coordinator', setup).value).toFixed(3),
        ),
        row('write-ahead log of a message, bytes', (setup) =>
          number(citus('write-ahead log of a message', setup).value),
        ),
        row('without messages, CPU ms per second', (setup) => number(citus('without messages', setup).value)),
        row('accepted per second', (setup) => number(citus('accepted', setup).value)),
      ],
    );
  },
  billion: () => {
    const { by = {} } = citus('whole lifecycle', setups.at(-1) ?? '');
    const wal = citus('write-ahead log of a message', setups.at(-1) ?? '').value;
    const row = (title: string, cell: (perSecond: number) => string) => [
      title,
      ...days.map((messages) => cell(messages / secondsPerDay)),
    ];
    const busy = (process: string) =>
      row(`processors busy with: ${process}`, (perSecond) => {
        const each = (by[process] ?? 0) / 1e6;
        return `${number(perSecond * each)}; ${number(peak * perSecond * each)}`;
      });
    return table(
      ['On average; at five times that', ...days.map((messages) => `${number(messages)} a day`)],
      [
        row('messages per second', (perSecond) => `${number(perSecond)}; ${number(peak * perSecond)}`),
        ...['server', 'worker', 'Redis', 'Postgres', 'coordinator'].map(busy),
        row('write-ahead log, MB per second', (perSecond) => {
          const each = wal / 1e6;
          return `${number(perSecond * each)}; ${number(peak * perSecond * each)}`;
        }),
      ],
    );
  },
  million: () => {
    const { value, by = {} } = figure('cost', 'whole lifecycle');
    const minutes = (ms: number) => `${number(ms / 60)} CPU minutes`;
    return table(
      ['A million messages', ''],
      [
        ['CPU of server, worker, Redis and Postgres', minutes(value)],
        ...Object.entries(by).map(([process, ms]) => [`of it ${process}`, minutes(ms)]),
        ['write-ahead log', `${number(figure('cost', 'write-ahead log of a message').value / 1_000)} GB`],
      ],
    );
  },
};

const pages = ['performance', 'scaling', 'very-large'].map((name) => {
  const file = `${docs}/${name}.md`;
  const generated = readFileSync(file, 'utf8').replaceAll(
    /(<!-- bench (\w+) -->\n)[^]*?(<!-- \/bench -->)/g,
    (_all, start: string, block: string, end: string) =>
      `${start}\n${blocks[block]?.() ?? `no block ${block}`}\n\n${end}`,
  );
  if (process.env.UPDATE_DOCS === '1') writeFileSync(file, generated);
  return { name, file, generated };
});

it.each(pages)(
  'docs/$name.md shows the figures of docs/bench-results.json: run npm run -s docs:performance',
  (page) => {
    expect(readFileSync(page.file, 'utf8')).toBe(page.generated);
  },
);

it('every block of figures is on one page', () => {
  const shown = pages.flatMap(({ generated }) =>
    [...generated.matchAll(/<!-- bench (\w+) -->/g)].map(([, name]) => name),
  );
  expect(new Set(shown)).toEqual(new Set(Object.keys(blocks)));
  expect(shown).toHaveLength(Object.keys(blocks).length);
});

it('docs/bench-results.json names date, commit and machine of every run', () => {
  for (const { machine } of runs) {
    expect(machine['date']).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(machine['commit']).toMatch(/^[0-9a-f]{7,}(-dirty)?$/);
    expect(machine['machine']).toMatch(/^\d+ × /);
  }
});

describe('a run added to results', () => {
  const machine = { date: '2026-11-22' };
  const bytes = (part: string, value: number) => ({ part, name: 'size', value, unit: 'bytes' });
  const ratio = { of: 'cost: size', by: 'storage: size', value: 2 };

  it('replaces what earlier runs measured of the same parts, and ratios with it', () => {
    const earlier = { runs: [{ machine, figures: [bytes('cost', 2), bytes('storage', 1)], ratios: [ratio] }] };
    const added = { machine, figures: [bytes('cost', 3)], ratios: [] };
    expect(mergeRun(earlier, added).runs).toEqual([{ machine, figures: [bytes('storage', 1)], ratios: [] }, added]);
  });

  it('leaves no run without figures', () => {
    const run = { machine, figures: [bytes('cost', 2)], ratios: [] };
    expect(mergeRun({ runs: [run] }, run).runs).toEqual([run]);
  });
});

function figure(part: string, name: string) {
  const found = figures.find((one) => one.part === part && one.name === name && !one.build);
  if (!found) throw new Error(`docs/bench-results.json lacks "${part}: ${name}"`);
  return found;
}

/** A table as Prettier formats it. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) => `| ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
