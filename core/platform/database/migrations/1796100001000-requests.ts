import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropsEnded, ensuresDays } from './partitions.js';

/** The log of API calls that the dashboard shows, in partitions of a day. */
export class Requests1796100001000 implements MigrationInterface {
  readonly name = 'Requests1796100001000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const statements = [
  // The id is a UUIDv7 of the time at which the call ended. subject is the public id of a message or
  // batch.
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
  // Callers may choose their request ids: a hash of account and id is small, and keeps those of an
  // account apart.
  `CREATE INDEX api_requests_request_id
     ON api_requests (hashtextextended(request_id, uuid_hash_extended(account_id, 0)))`,
  // Not logged: a crash of Postgres empties them, and no call pays for write-ahead log.
  ensuresDays('ensure_request_partitions', 'api_requests'),
  dropsEnded('drop_request_partitions', 'api_requests', 'day'),
  `SELECT ensure_request_partitions((now() AT TIME ZONE 'UTC')::date, 15)`,
];

const back = [`DROP TABLE api_requests`, `DROP FUNCTION drop_request_partitions, ensure_request_partitions`];
