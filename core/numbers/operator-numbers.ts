import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Accounts } from '../accounts/accounts.js';
import { Config } from '../platform/config/config.js';
import { senderForm } from '../platform/config/env-values.js';
import { sqlState } from '../platform/errors/database-error.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { NumberDirectory } from './number-directory.js';

const UNIQUE_VIOLATION = '23505';

// The schema names the table that all parts of a divided database share.
const takeAwayStatement = `DELETE FROM public.numbers WHERE account_id = $1 AND origin = 'operator'`;
const giveStatement = `
INSERT INTO public.numbers (number, account_id) SELECT sender, $1 FROM unnest($2::text[]) AS s (sender)`;
export const givenStatement = `SELECT number FROM numbers WHERE status <> 'released'`;

/**
 * Senders of the installation that the operator gives to one account: it uses no shared senders,
 * and no other account uses them. They cost the account nothing.
 */
@Injectable()
export class OperatorNumbers {
  constructor(
    private readonly postgres: Postgres,
    private readonly accounts: Accounts,
    private readonly directory: NumberDirectory,
    private readonly config: Config,
  ) {}

  /**
   * Gives an account its own senders in place of earlier ones; without any it uses the shared
   * senders. Throws `account_not_found`, and `invalid_request` when a sender is invalid, belongs to
   * another account, was bought, or is the last shared sender.
   */
  async set(email: string, senders: readonly string[]): Promise<{ email: string; senders: readonly string[] }> {
    const { id } = await this.accounts.getByEmail(email);
    const unique = [...new Set(senders)];
    const invalid = unique.find((sender) => !senderForm.test(sender));
    if (invalid !== undefined) throw new DomainError('invalid_request', `${invalid} is neither +number nor MG… id.`);
    await this.postgres.ofAll(() => this.postgres.transaction((tx) => this.change(tx, id, unique)));
    await this.directory.renewed();
    return { email, senders: unique };
  }

  private async change(tx: EntityManager, accountId: string, senders: readonly string[]): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(hashtext('account senders'))`);
    await tx.query(takeAwayStatement, [accountId]);
    try {
      if (senders.length > 0) await tx.query(giveStatement, [accountId, senders]);
    } catch (cause) {
      if (sqlState(cause) !== UNIQUE_VIOLATION) throw cause;
      throw new DomainError('invalid_request', 'Another account has one of these senders.', { cause });
    }
    const taken = await tx.query<{ number: string }[]>(givenStatement);
    this.assertSharedSendersLeft(new Set(taken.map(({ number }) => number)));
  }

  private assertSharedSendersLeft(taken: ReadonlySet<string>): void {
    if (this.lists().every((list) => list.some((sender) => !taken.has(sender)))) return;
    throw new DomainError('invalid_request', 'A list of TWILIO_SENDERS would have no shared sender left.');
  }

  /**
   * Returns the senders of all carriers for each country with its own senders, and for all other
   * countries.
   */
  private lists(): (readonly string[])[] {
    const { carriers } = this.config;
    const countries = new Set(['', ...carriers.flatMap(({ countrySenders }) => [...countrySenders.keys()])]);
    return [...countries].map((country) =>
      carriers.flatMap(({ senders, countrySenders }) => countrySenders.get(country) ?? senders),
    );
  }
}
