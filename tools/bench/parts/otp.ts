import type { Bench } from '../bench.js';
import { applyLoad, warmUp } from '../load/load.js';
import type { LoadResult } from '../load/load-job.js';
import { serverUrlOf } from '../processes/environment.js';
import { countVerified, insertLiveCodes, insertRememberedCodes } from '../product/otp-codes.js';
import { withProduct, type Product } from '../product/product.js';

const part = 'otp';
const accounts = 100;
const rememberedCodes = 1_000_000;
const liveCodes = 20_000;
// Each account may be wrong 1,000 times in ten minutes.
const wrongGuesses = 20_000;
const sendRecipients = 20_000;
// People type codes: a few are on their way at the same moment, also where thousands come in a second.
const verifyConnections = 10;

/** Codes verified while the table remembers a million others, and codes sent, by the whole server. */
export function measureOtp(bench: Bench): Promise<void> {
  return withProduct(bench, { part, accounts }, async (product) => {
    await insertRememberedCodes(product.prepared.client, rememberedCodes);
    await product.startServer();
    await measureWrong(bench, product);
    await measureRight(bench, product);
    await measureSending(bench, product);
  });
}

async function measureWrong(bench: Bench, product: Product): Promise<void> {
  const { apiKeys } = product.prepared;
  const url = verifyUrlOf(product);
  const wrong = (to: boolean) =>
    Array.from({ length: 1_000 }, (_none, index) =>
      JSON.stringify({
        otp: String(900_000 + index),
        apikey: apiKeys[index % apiKeys.length],
        ...(to && { to: `+1415${2_000_000 + index}` }),
      }),
    );
  await warmUp(bench, { url, bodies: wrong(true), isSplit: true });
  const withTo = await applyLoad(bench, {
    url,
    bodies: wrong(true),
    isSplit: true,
    amount: wrongGuesses,
    connections: verifyConnections,
  });
  report(bench, 'verifyotp, not found, with to', withTo);
  const withoutTo = await applyLoad(bench, {
    url,
    bodies: wrong(false),
    isSplit: true,
    amount: wrongGuesses,
    connections: verifyConnections,
  });
  report(bench, 'verifyotp, not found', withoutTo);
}

async function measureRight(bench: Bench, product: Product): Promise<void> {
  const { client, apiKeys } = product.prepared;
  const codes = await insertLiveCodes(client, apiKeys, liveCodes, bench.secrets.apiKeyHashSecret);
  const url = verifyUrlOf(product);
  const half = liveCodes / 2;
  const withTo = codes.slice(0, half).map(({ apiKey, otp, to }) => JSON.stringify({ otp, to, apikey: apiKey }));
  const withoutTo = codes.slice(half).map(({ apiKey, otp }) => JSON.stringify({ otp, apikey: apiKey }));
  report(
    bench,
    'verifyotp, verified, with to',
    await applyLoad(bench, { url, bodies: withTo, isSplit: true, amount: half, connections: verifyConnections }),
  );
  report(
    bench,
    'verifyotp, verified',
    await applyLoad(bench, { url, bodies: withoutTo, isSplit: true, amount: half, connections: verifyConnections }),
  );
  const verified = await countVerified(client);
  bench.report.check(part, 'every code was verified', {
    isSo: verified === liveCodes,
    seen: `${verified} of ${liveCodes}`,
  });
}

async function measureSending(bench: Bench, product: Product): Promise<void> {
  const { apiKeys } = product.prepared;
  const bodies = Array.from({ length: sendRecipients }, (_none, index) =>
    JSON.stringify({ to: `+1415${4_000_000 + index}`, org: 'Pennytext', apikey: apiKeys[index % apiKeys.length] }),
  );
  const url = `${serverUrlOf(product.prepared.place)}/api/sendotp`;
  report(
    bench,
    'sendotp',
    await applyLoad(bench, { url, bodies, isSplit: true, seconds: bench.options.seconds }),
    false,
  );
  await product.untilAllWait();
  product.checkBooks(part, await product.books());
}

function report(bench: Bench, name: string, load: LoadResult, hasGoal = true): void {
  const { perSecond, p50Ms, p97Ms, p99Ms, maxMs, refused, broken } = load;
  bench.report.figure({
    part,
    name,
    value: perSecond,
    unit: 'per second',
    p50Ms,
    p99Ms,
    ...(hasGoal && { goal: { p99BelowMs: 20 } }),
    note: `p97.5 ${p97Ms} ms, slowest ${maxMs} ms`,
  });
  bench.report.check(part, `${name}: every request is answered with 200`, {
    isSo: refused + broken === 0,
    seen: `${refused} refused, ${broken} unanswered`,
  });
}

function verifyUrlOf({ prepared }: Product): string {
  return `${serverUrlOf(prepared.place)}/api/verifyotp`;
}
