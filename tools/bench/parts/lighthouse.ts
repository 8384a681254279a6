/** What one visit by Lighthouse found. Scores are 0 to 100. */
export interface Visit {
  readonly scores: Readonly<Record<'performance' | 'accessibility' | 'bestPractices' | 'seo', number>>;
  readonly largestPaintMs: number;
  readonly blockedMs: number;
  readonly layoutShift: number;
  readonly scriptUrls: readonly string[];
}

/** The part of Lighthouse's JSON that is read (https://github.com/GoogleChrome/lighthouse/blob/main/docs/understanding-results.md). */
interface LighthouseResult {
  readonly categories: Readonly<
    Record<'performance' | 'accessibility' | 'best-practices' | 'seo', { score: number | null }>
  >;
  readonly audits: Readonly<
    Record<string, { numericValue?: number; details?: { items?: { url: string; resourceType?: string }[] } }>
  >;
}

export function readLighthouse(json: string): Visit {
  const { categories, audits } = JSON.parse(json) as LighthouseResult;
  const score = (name: keyof typeof categories) => Math.round((categories[name].score ?? 0) * 100);
  const value = (name: string) => audits[name]?.numericValue ?? NaN;
  const requests = audits['network-requests']?.details?.items ?? [];
  return {
    scores: {
      performance: score('performance'),
      accessibility: score('accessibility'),
      bestPractices: score('best-practices'),
      seo: score('seo'),
    },
    largestPaintMs: value('largest-contentful-paint'),
    blockedMs: value('total-blocking-time'),
    layoutShift: Math.round(value('cumulative-layout-shift') * 1_000) / 1_000,
    scriptUrls: requests.filter(({ resourceType }) => resourceType === 'Script').map(({ url }) => url),
  };
}

/** The visit whose performance is in the middle, with the lowest of the scores that do not depend on the machine. */
export function medianOf(visits: readonly Visit[]): Visit {
  const ordered = [...visits].sort((one, other) => one.scores.performance - other.scores.performance);
  const middle = ordered[Math.floor(ordered.length / 2)];
  if (!middle) throw new Error('There is no middle of no visits');
  const lowest = (name: keyof Visit['scores']) => Math.min(...visits.map(({ scores }) => scores[name]));
  return {
    ...middle,
    scores: {
      performance: middle.scores.performance,
      accessibility: lowest('accessibility'),
      bestPractices: lowest('bestPractices'),
      seo: lowest('seo'),
    },
  };
}
