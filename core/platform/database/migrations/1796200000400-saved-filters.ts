import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Filters of the dashboard's views that an account has saved by name. */
export class SavedFilters1796200000400 implements MigrationInterface {
  readonly name = 'SavedFilters1796200000400';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE saved_filters');
  }
}

const statements = [
  // `query` is the query string of the view's address.
  `CREATE TABLE saved_filters (
     account_id uuid NOT NULL,
     id uuid NOT NULL,
     view text NOT NULL CHECK (view IN ('sent', 'received', 'requests', 'ledger')),
     name text NOT NULL,
     query text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (account_id, id),
     CONSTRAINT saved_filters_name UNIQUE (account_id, view, name)
   )`,
];
