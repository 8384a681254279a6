import { createHmac, hkdfSync } from 'node:crypto';
import type { Client } from 'pg';
import type { Bench } from '../bench.js';
import { applyLoad, type LoadResult } from '../load.js';
import { withProduct, type Product } from '../product/product.js';

const accounts = 100;
const rememberedCodes = 1_000_000;
const liveCodes = 20_000;
// Each account may be wrong 1,000 times in ten minutes.
const wrongGuesses = 20_000;
// The fraud guard refuses more than 5 codes an hour to a number, and 30 unverified codes of an
// account to 1,000 numbers.
const sendRecipients = 60_000;
// People type codes: few requests are in flight at once, even at thousands a second.
const connections = 10;

/** Codes verified while the table holds a million others, and codes sent, by the whole server. */
export function measureOtp(bench: Bench): Promise<void> {
  return withProduct(bench, { accounts }, async (product) => {
    await insertRememberedCodes(product.prepared.client, rememberedCodes);
    await product.startServer();
    await measureWrong(bench, product);
    await measureRight(bench, product);
    await measureSending(bench, product);
  });
}

async function measureWrong(bench: Bench, product: Product): Promise<void> {
  const { apiKeys } = product.prepared;
  const bodies = Array.from({ length: 1_000 }, (_none, index) => ({
    otp: String(900_000 + index),
    apikey: apiKeys[index % apiKeys.length],
    to: `+1415${2_000_000 + index}`,
  }));
  const url = `${product.url}/api/verifyotp`;
  await applyLoad(bench, { url, bodies: bodies.map((body) => JSON.stringify(body)), isSplit: true, seconds: 1 });
  await verify(bench, product, 'not found', bodies, wrongGuesses);
}

async function measureRight(bench: Bench, product: Product): Promise<void> {
  const codes = await insertLiveCodes(product, liveCodes, bench.secrets.apiKeyHashSecret);
  const half = liveCodes / 2;
  await verify(bench, product, 'verified', codes, half);
  const { rows } = await product.prepared.client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM otp_codes WHERE state = 'used' AND ended_at > created_at
      AND expires_at > now()`,
  );
  const verified = rows[0]?.count ?? 0;
  bench.report.check('every code was verified', verified === liveCodes, `${verified} of ${liveCodes}`);
}

/**
 * Verifies an amount of codes with `to`, and as many without. Twice as many codes are halved, so
 * that each code is verified once; fewer codes are used both times.
 */
async function verify(
  bench: Bench,
  product: Product,
  outcome: string,
  codes: readonly { otp: string; to: string; apikey: string | undefined }[],
  amount: number,
): Promise<void> {
  const isOnce = codes.length === 2 * amount;
  const withTo = (isOnce ? codes.slice(0, amount) : codes).map((code) => JSON.stringify(code));
  const withoutTo = (isOnce ? codes.slice(amount) : codes).map(({ otp, apikey }) => JSON.stringify({ otp, apikey }));
  const load = { url: `${product.url}/api/verifyotp`, isSplit: true, amount, connections };
  report(bench, `verifyotp, ${outcome}, with to`, await applyLoad(bench, { ...load, bodies: withTo }));
  report(bench, `verifyotp, ${outcome}`, await applyLoad(bench, { ...load, bodies: withoutTo }));
}

async function measureSending(bench: Bench, product: Product): Promise<void> {
  const { apiKeys } = product.prepared;
  const bodies = Array.from({ length: sendRecipients }, (_none, index) =>
    JSON.stringify({ to: `+1415${4_000_000 + index}`, org: 'Pennytext', apikey: apiKeys[index % apiKeys.length] }),
  );
  const url = `${product.url}/api/sendotp`;
  const load = await applyLoad(bench, { url, bodies, isSplit: true, seconds: bench.options.seconds });
  report(bench, 'sendotp', load, false);
  await product.untilAllEnqueued();
  await product.checkCredits();
}

function report(bench: Bench, name: string, load: LoadResult, hasGoal = true): void {
  const { perSecond, p50Ms, p97Ms, p99Ms, maxMs, refused, broken } = load;
  const goal = hasGoal ? { p99BelowMs: 20 } : undefined;
  const note = `p97.5 ${p97Ms} ms, slowest ${maxMs} ms`;
  bench.report.figure(name, perSecond, 'per second', { p50Ms, p99Ms, goal, note });
  const seen = `${refused} refused, ${broken} unanswered`;
  bench.report.check(`${name}: every request is answered with 200`, refused + broken === 0, seen);
}

/** Inserts codes of the last day that are used or have expired, spread evenly over all accounts. */
async function insertRememberedCodes(client: Client, count: number): Promise<void> {
  await client.query(
    `WITH account AS (SELECT id, row_number() OVER () - 1 AS n, count(*) OVER () AS accounts FROM accounts)
     INSERT INTO otp_codes (id, account_id, recipient, code_hash, digits, state, created_at, expires_at,
       ended_at, forget_at)
     SELECT gen_random_uuid(), account.id, '+1415' || (2000000 + code.n % 100000), sha256(code.n::text::bytea), 6,
       CASE WHEN code.n % 2 = 0 THEN 'used' ELSE 'live' END, past.at - interval '5 minutes', past.at,
       CASE WHEN code.n % 2 = 0 THEN past.at END, past.at + interval '1 day'
     FROM generate_series(1, $1::int) AS code (n)
     JOIN account ON account.n = code.n % account.accounts
     CROSS JOIN LATERAL (SELECT now() - code.n % 86000 * interval '1 second' AS at) past`,
    [count],
  );
  await client.query('VACUUM ANALYZE otp_codes');
}

/** `hashSecret` is the secret of the API keys, from which the secret of codes is derived. */
async function insertLiveCodes({ prepared: { client, apiKeys } }: Product, count: number, hashSecret: Buffer) {
  const secret = Buffer.from(hkdfSync('sha256', hashSecret, '', 'one-time passwords', 32));
  const { rows } = await client.query<{ accountId: string; keyHash: Buffer }>(
    'SELECT account_id AS "accountId", hash AS "keyHash" FROM key_secrets',
  );
  const accountOf = new Map(rows.map(({ accountId, keyHash }) => [keyHash.toString('hex'), accountId]));
  const codes = Array.from({ length: count }, (_none, index) => {
    const apikey = apiKeys[index % apiKeys.length] ?? '';
    const accountId = accountOf.get(createHmac('sha256', hashSecret).update(apikey).digest('hex'));
    return { apikey, accountId, otp: String(index).padStart(6, '0'), to: `+1415${3_000_000 + index}` };
  });
  await client.query(
    `INSERT INTO otp_codes (id, account_id, recipient, code_hash, digits, expires_at, forget_at)
     SELECT gen_random_uuid(), account_id, recipient, code_hash, 6, now() + interval '10 minutes',
       now() + interval '1 day'
     FROM unnest($1::uuid[], $2::text[], $3::bytea[]) AS c (account_id, recipient, code_hash)`,
    [
      codes.map(({ accountId }) => accountId),
      codes.map(({ to }) => to),
      codes.map(({ accountId, otp }) => createHmac('sha256', secret).update(`${accountId}:${otp}`).digest()),
    ],
  );
  // Wrong guesses of earlier measurements belong to another window.
  await client.query('DELETE FROM otp_guards');
  return codes.map(({ apikey, otp, to }) => ({ apikey, otp, to }));
}
