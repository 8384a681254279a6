import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages that more than one route was tried for. */
export class MessageAttempts1796300000300 implements MigrationInterface {
  readonly name = 'MessageAttempts1796300000300';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of back) await runner.query(statement);
  }
}

const withKinds = (kinds: readonly string[]) => [
  'ALTER TABLE message_checks DROP CONSTRAINT message_checks_kind_check',
  `ALTER TABLE message_checks
     ADD CONSTRAINT message_checks_kind_check CHECK (kind IN ('${kinds.join(`', '`)}'))`,
];
const KINDS = ['queued', 'claimed', 'retry', 'settle', 'scheduled'];

const statements = [
  // What the caller chose: 0 is once; otherwise another route is tried after so many seconds without
  // a receipt. Null is the default of its kind.
  `ALTER TABLE messages ADD COLUMN hedge_seconds smallint`,
  // The hand-overs of a message, from its second one on. The current one's outcome is in the
  // message's own row; the others' are here.
  `CREATE TABLE message_attempts (
     account_id uuid NOT NULL,
     message_id uuid NOT NULL,
     n smallint NOT NULL CHECK (n > 0),
     current boolean NOT NULL,
     carrier smallint NOT NULL,
     sender text NOT NULL,
     reason text NOT NULL
       CHECK (reason IN ('first', 'not_taken', 'route_failed', 'doubtful', 'slow', 'route_paused')),
     handed_at timestamptz,
     outcome text CHECK (outcome IN ('accepted', 'not_taken', 'doubtful')),
     carrier_id text,
     carrier_error integer,
     receipt text CHECK (receipt IN ('delivered', 'undelivered', 'failed')),
     receipt_at timestamptz,
     created_at timestamptz NOT NULL DEFAULT now(),
     PRIMARY KEY (message_id, n),
     CHECK (current OR handed_at IS NOT NULL AND outcome IS NOT NULL)
   )`,
  `CREATE INDEX message_attempts_account ON message_attempts (account_id)`,
  `CREATE INDEX message_attempts_age ON message_attempts (created_at)`,
  ...withKinds([...KINDS, 'hedge']),
];

const back = [
  `DELETE FROM message_checks WHERE kind = 'hedge'`,
  ...withKinds(KINDS),
  `DROP TABLE message_attempts`,
  `ALTER TABLE messages DROP COLUMN hedge_seconds`,
];
