import { optionsOf, UsageError } from './options.js';
import { medianOf, readLighthouse } from './parts/pages.js';
import { gainOf } from './parts/storage.js';
import { arrivalRate, waitsOf } from './product/carrier.js';
import { figureTable, ratioTable, table } from './report.js';

describe('options of the bench', () => {
  it('selects every part but those on demand by default', () => {
    expect(optionsOf([])).toEqual({
      only: ['accept', 'bulk', 'cost', 'carrier', 'live', 'fairness', 'otp', 'webhooks', 'dashboard'],
      seconds: 10,
      messages: 20_000,
      waiting: 100_000,
      step: 100_000,
      rounds: 1,
      against: undefined,
      profile: undefined,
      json: undefined,
    });
  });

  it('runs chosen parts in the order of the table', () => {
    expect(optionsOf(['--only=carrier,accept']).only).toEqual(['accept', 'carrier']);
  });

  it.each(['--only=speed', '--seconds=0', '--messages=many', '--rounds=0', '--waiting=1000001', '--fast', 'accept'])(
    'refuses %s',
    (arg) => {
      expect(() => optionsOf([arg])).toThrow(UsageError);
    },
  );
});

describe('the table of the bench', () => {
  it('aligns columns, numbers to the right', () => {
    const rows = [
      ['a', '1'],
      ['long name', '1,000'],
    ];
    const lines = table(['name', 'n'], rows, [1]).split('\n');
    expect(lines).toEqual(['name           n', '─────────  ─────', 'a              1', 'long name  1,000']);
  });

  it.each([
    [{ value: 5_000, p99Ms: 49 }, '✓ ≥ 5,000, p99 < 50'],
    [{ value: 4_999, p99Ms: 49 }, '✗ ≥ 5,000, p99 < 50'],
    [{ value: 5_000, p99Ms: 50 }, '✗ ≥ 5,000, p99 < 50'],
  ])('shows for %j whether the goal is reached', (measured, text) => {
    const figure = { part: 'accept', name: 'one account', unit: 'per second', ...measured } as const;
    expect(figureTable([{ ...figure, goal: { atLeast: 5_000, p99BelowMs: 50 } }])).toContain(text);
  });

  it('shows a ratio with two places', () => {
    expect(ratioTable([{ of: 'a', by: 'b', value: 3.456, goal: { atLeast: 3 } }])).toContain('a / b  3.46 ×  ✓ ≥ 3');
  });
});

describe('arrivals at the carrier', () => {
  it('are counted after the first one', () => {
    expect(arrivalRate([3_000, 1_000, 2_000])).toEqual({ perSecond: 1, seconds: 2 });
  });

  it('have no rate in a single moment', () => {
    expect(() => arrivalRate([1_000, 1_000])).toThrow('two moments');
  });

  it('are summed up by the median and the 99th percentile of the waits', () => {
    expect(waitsOf(Array.from({ length: 200 }, (_, index) => index))).toEqual({ p50Ms: 100, p99Ms: 198 });
  });
});

const requests = [
  { url: 'https://a.test/', resourceType: 'Document' },
  { url: 'https://a.test/a.js', resourceType: 'Script' },
];
const resultOf = (performance: number, accessibility: number) =>
  JSON.stringify({
    categories: {
      performance: { score: performance },
      accessibility: { score: accessibility },
      'best-practices': { score: 1 },
      seo: { score: null },
    },
    audits: {
      'largest-contentful-paint': { numericValue: 2_040.4 },
      'total-blocking-time': { numericValue: 12 },
      interactive: { numericValue: 3_100 },
      'cumulative-layout-shift': { numericValue: 0.00123 },
      'network-requests': { details: { items: requests } },
    },
  });

describe('Lighthouse results', () => {
  it('are read from JSON; a missing score is 0', () => {
    expect(readLighthouse(resultOf(0.976, 1))).toEqual({
      scores: { performance: 98, accessibility: 100, bestPractices: 100, seo: 0 },
      largestPaintMs: 2_040.4,
      blockedMs: 12,
      layoutShift: 0.001,
      interactiveMs: 3_100,
      scriptUrls: ['https://a.test/a.js'],
    });
  });

  it('are the median of three visits by performance and the worst by all else', () => {
    const visits = [resultOf(0.99, 1), resultOf(0.5, 1), resultOf(0.95, 0.9)].map(readLighthouse);
    expect(medianOf(visits).scores).toMatchObject({ performance: 95, accessibility: 90 });
  });
});

it('returns the growth of each table, and the whole size of a new one', () => {
  const before = [{ table: 'messages', heap: 8_192, indexes: 16_384 }];
  const after = [
    { table: 'messages', heap: 81_920, indexes: 32_768 },
    { table: 'webhook_attempts', heap: 8_192, indexes: 0 },
  ];
  expect(gainOf(before, after)).toEqual([
    { table: 'messages', heap: 73_728, indexes: 16_384 },
    { table: 'webhook_attempts', heap: 8_192, indexes: 0 },
  ]);
});
