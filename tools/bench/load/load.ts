import type { Bench } from '../bench.js';
import type { LoadJob, LoadResult } from './load-job.js';

const connections = 50;
const warmUpSeconds = 3;
const marginMs = 30_000;
/** An amount takes as long as this pace at the slowest. */
const slowestPerSecond = 200;

/** Applies load from a separate process, so that the generator does not share an event loop. */
export async function applyLoad(
  bench: Bench,
  job: Omit<LoadJob, 'connections'> & Partial<Pick<LoadJob, 'connections'>>,
): Promise<LoadResult> {
  const { PATH = '', HOME = '' } = process.env;
  const expectedSeconds = job.amount === undefined ? (job.seconds ?? 10) : job.amount / slowestPerSecond;
  return bench.children.ask<LoadResult>(
    { name: 'load generator', file: 'tools/bench/load/main.js', env: { PATH, HOME } },
    { connections, ...job },
    expectedSeconds * 1_000 + marginMs,
  );
}

/** Lets programs compile and pools fill before anything is measured. */
export function warmUp(bench: Bench, job: Pick<LoadJob, 'url' | 'bodies' | 'isSplit'>): Promise<LoadResult> {
  return applyLoad(bench, { ...job, seconds: Math.min(warmUpSeconds, bench.options.seconds) });
}
