import type { Bench } from '../bench.js';
import { bodiesOf } from '../load/bodies.js';
import { applyLoad, warmUp } from '../load/load.js';
import { serverUrlOf } from '../processes/environment.js';
import { isBalanced, readBooks } from '../product/books.js';
import { withDatabase } from '../product/database.js';

const part = 'plain';
const accounts = 100;

/** The same path as one would write it first: one transaction for each request, through TypeORM. See tools/bench/plain. */
export function measurePlain(bench: Bench): Promise<void> {
  return withDatabase(bench, { accounts }, async ({ place, env, client, apiKeys }) => {
    const url = serverUrlOf(place);
    const program = await bench.children.start({ name: 'plain', file: 'tools/bench/plain/main.js', env }, [
      `${url}/healthz`,
    ]);
    try {
      await measure(bench, `${url}/api/sendsms`, apiKeys);
    } finally {
      await program.stop();
    }
    bench.report.complaints(part, program.name, program.complaints());
    const books = await readBooks(client);
    bench.report.check(part, 'each message is charged once and the balances show it', {
      isSo: isBalanced(books) && books.messages > 0,
      seen: JSON.stringify(books),
    });
  });
}

async function measure(bench: Bench, url: string, apiKeys: readonly string[]): Promise<void> {
  await warmUp(bench, { url, bodies: bodiesOf(apiKeys) });
  for (const [name, keys] of [
    ['1 account', apiKeys.slice(0, 1)],
    [`${accounts} accounts`, apiKeys],
  ] as const) {
    const load = await applyLoad(bench, { url, bodies: bodiesOf(keys), seconds: bench.options.seconds });
    const { perSecond, p50Ms, p99Ms, refused, broken } = load;
    bench.report.figure({ part, name, value: perSecond, unit: 'per second', p50Ms, p99Ms });
    bench.report.check(part, 'nothing is refused', { isSo: refused + broken === 0, seen: JSON.stringify(load) });
  }
}
