import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Opt-outs from the numbers of an account, which hold for all that it sends. */
export class AccountStops1796500000300 implements MigrationInterface {
  readonly name = 'AccountStops1796500000300';

  async up(runner: QueryRunner): Promise<void> {
    // The account that had the sender to itself; null for a shared one, and for what a process of the
    // release before stores, which then holds for that sender alone.
    await runner.query(`ALTER TABLE opt_outs ADD COLUMN account_id uuid`);
    // Of a number whose messaging service the account has, the service tells: both were stored in one
    // moment. Of a number that has had several accounts it is the one that had it then.
    await runner.query(`
UPDATE opt_outs o SET account_id = found.account_id, shared = false
FROM (
  SELECT DISTINCT ON (one.recipient, one.sender) one.recipient, one.sender, n.account_id
  FROM opt_outs one
  JOIN opt_outs s ON s.recipient = one.recipient
    AND (s.sender = one.sender OR (s.sender LIKE 'MG%' AND s.created_at = one.created_at))
  JOIN numbers n ON n.number = s.sender AND (n.origin = 'operator' OR n.activated_at IS NOT NULL)
  WHERE one.shared IS NOT TRUE
  ORDER BY one.recipient, one.sender, n.created_at <= one.created_at DESC,
    abs(extract(epoch FROM n.created_at - one.created_at))
) found
WHERE o.recipient = found.recipient AND o.sender = found.sender`);
  }

  async down(runner: QueryRunner): Promise<void> {
    // The release before knows one opt-out of a person and a number.
    await runner.query(`DELETE FROM opt_outs WHERE sender LIKE '% %'`);
    await runner.query(`ALTER TABLE opt_outs DROP COLUMN account_id`);
  }
}
