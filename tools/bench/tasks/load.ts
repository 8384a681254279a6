import { once } from 'node:events';
import autocannon from 'autocannon';
import type { LoadJob, LoadResult } from '../load.js';

// Ends with its parent.
process.once('disconnect', () => process.exit(1));
const [given] = (await once(process, 'message')) as [LoadJob];
process.send?.(await apply(given));

async function apply(job: LoadJob): Promise<LoadResult> {
  const { url, connections, bodies, paths, headers, isSplit, seconds, amount, perSecond } = job;
  const json = { 'content-type': 'application/json' };
  const requests = bodies.map((body, n) => ({
    body,
    ...(paths?.[n] !== undefined && { path: paths[n] }),
    ...(headers && { headers: { ...json, ...headers[n] } }),
  }));
  let client = 0;
  const result = await autocannon({
    url,
    connections,
    method: 'POST',
    headers: json,
    // Every connection would prepare all requests before it gets its own.
    requests: requests.slice(0, 1),
    // In step, all connections would send for the same account at the same time.
    setupClient: (one) => {
      const start = Math.floor((client * requests.length) / connections);
      client += 1;
      const end = Math.floor((client * requests.length) / connections);
      one.setRequests(isSplit ? requests.slice(start, end) : [...requests.slice(start), ...requests.slice(0, start)]);
    },
    ...(amount === undefined ? { duration: seconds ?? 10 } : { amount }),
    ...(perSecond === undefined ? {} : { overallRate: perSecond }),
  });
  const { latency } = result;
  return {
    accepted: result['2xx'],
    perSecond: result['2xx'] / result.duration,
    p50Ms: latency.p50,
    p97Ms: latency.p97_5,
    p99Ms: latency.p99,
    maxMs: latency.max,
    refused: result.non2xx,
    broken: result.errors,
    startedAtMs: result.start.getTime(),
    endedAtMs: result.finish.getTime(),
  };
}
