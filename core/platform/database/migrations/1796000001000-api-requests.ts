import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Calls of the API, for the dashboard, in partitions of a day. */
export class ApiRequests1796000001000 implements MigrationInterface {
  readonly name = 'ApiRequests1796000001000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE api_requests');
    await runner.query('DROP FUNCTION ensure_request_partitions, drop_request_partitions');
  }
}

const statements = [
  // The id is a UUIDv7 of the time at which the call ended. subject is the public id of a message or batch.
  `CREATE TABLE api_requests (
     account_id uuid NOT NULL,
     id uuid NOT NULL,
     at timestamptz NOT NULL,
     method text NOT NULL,
     path text NOT NULL,
     status smallint NOT NULL,
     code text,
     request_id text NOT NULL,
     duration_ms integer NOT NULL,
     key_name text,
     key_ending text NOT NULL,
     is_test boolean NOT NULL,
     subject text,
     fields text NOT NULL,
     PRIMARY KEY (account_id, id)
   ) PARTITION BY RANGE (id)`,
  // Callers may choose their request ids: a hash of account and id is small, and keeps those of an account apart.
  `CREATE INDEX api_requests_request_id ON api_requests (hashtextextended(request_id, uuid_hash_extended(account_id, 0)))`,

  // Not logged: a crash of Postgres empties them, and no call pays for write-ahead log.
  `CREATE FUNCTION ensure_request_partitions(first_day date, days integer) RETURNS void LANGUAGE plpgsql AS $$
   DECLARE
     day date;
     name text;
   BEGIN
     PERFORM pg_advisory_xact_lock(hashtext('ensure_request_partitions'));
     FOR step IN 0 .. days - 1 LOOP
       day := first_day + step;
       name := 'api_requests_' || to_char(day, 'YYYY_MM_DD');
       IF to_regclass(name) IS NULL THEN
         EXECUTE format(
           'CREATE UNLOGGED TABLE %I PARTITION OF api_requests FOR VALUES FROM (%L) TO (%L)',
           name,
           uuid_v7_floor(day::timestamp AT TIME ZONE 'UTC'),
           uuid_v7_floor((day + 1)::timestamp AT TIME ZONE 'UTC')
         );
       END IF;
     END LOOP;
   END
   $$`,

  // Drops the days that ended before the instant; answers how many.
  `CREATE FUNCTION drop_request_partitions(before timestamptz) RETURNS integer LANGUAGE plpgsql AS $$
   DECLARE
     name text;
     dropped integer := 0;
   BEGIN
     PERFORM pg_advisory_xact_lock(hashtext('ensure_request_partitions'));
     FOR name IN
       SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = 'api_requests'::regclass AND c.relname ~ '^api_requests_\\d{4}_\\d{2}_\\d{2}$'
         AND to_date(right(c.relname, 10), 'YYYY_MM_DD') + 1 <= before AT TIME ZONE 'UTC'
     LOOP
       EXECUTE format('DROP TABLE %I', name);
       dropped := dropped + 1;
     END LOOP;
     RETURN dropped;
   END
   $$`,
  `SELECT ensure_request_partitions((now() AT TIME ZONE 'UTC')::date, 15)`,
];
