import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `blocked_addresses.address` may be a CIDR range; the index finds the ranges that contain an address. */
export class BlockedNetworks1795500000400 implements MigrationInterface {
  readonly name = 'BlockedNetworks1795500000400';

  async up(runner: QueryRunner): Promise<void> {
    // Link-local addresses with a zone, which never reach the API, are no values of inet.
    await runner.query(`DELETE FROM blocked_addresses WHERE address LIKE '%\\%%'`);
    await runner.query(
      `CREATE INDEX blocked_addresses_network ON blocked_addresses USING gist ((address::inet) inet_ops)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX blocked_addresses_network`);
  }
}
