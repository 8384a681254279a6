/** Where the tests find a Postgres on which they may create databases, and a Redis. The only place of the tests that reads the environment. */
export function testServices(): { databaseUrl: string; redisUrl: string } {
  const { DATABASE_URL: databaseUrl, REDIS_URL: redisUrl } = process.env;
  if (!databaseUrl || !redisUrl) {
    throw new Error(
      'Integration tests need DATABASE_URL (a Postgres on which they may create databases) and REDIS_URL to be set.',
    );
  }
  return { databaseUrl, redisUrl };
}
