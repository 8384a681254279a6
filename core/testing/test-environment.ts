/**
 * Settings of tests with random input: FUZZ_SECONDS for each test, FUZZ_REQUESTS for the run over
 * all routes, and FUZZ_SEED. The seed is constant by default, so that a test fails for a change,
 * not by chance.
 */
export function fuzzSettings(): { seconds: number; requests: number; seed: number } {
  const { FUZZ_SECONDS: seconds = '0.5', FUZZ_REQUESTS: requests = '2000', FUZZ_SEED: seed = '2026' } = process.env;
  return { seconds: Number(seconds), requests: Number(requests), seed: Number(seed) };
}

/**
 * Returns a Postgres on which the tests may create databases, and a Redis. With `citusNodes`, URLs
 * of the other nodes of its Citus cluster, they create distributed databases. Only this function of
 * the tests reads the environment.
 */
export function testServices(): { databaseUrl: string; citusNodes: readonly string[]; redisUrl: string } {
  const { DATABASE_URL: databaseUrl, CITUS_NODES: citusNodes = '', REDIS_URL: redisUrl } = process.env;
  if (!databaseUrl || !redisUrl) {
    throw new Error(
      'Integration tests need DATABASE_URL (a Postgres on which they may create databases) and REDIS_URL to be set.',
    );
  }
  return { databaseUrl, citusNodes: citusNodes.split(',').filter(Boolean), redisUrl };
}
