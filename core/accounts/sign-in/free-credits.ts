import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { signInMessages, withTime } from '#contract/sign-in.js';
import { Config } from '../../platform/config/config.js';
import { Postgres } from '../../platform/database/postgres.js';
import { purge, type PurgeRule } from '../../platform/durable-work/retention.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { clientNetwork } from '../../rules/network-addresses.js';

const SIGN_UP_HOURS = 24;

const signUps: PurgeRule = {
  table: 'sign_ups',
  key: ['account_id'],
  expired: 'created_at <= now() - make_interval(hours => $1)',
};

/** Parameters: email address. */
const findGrant = `
SELECT account_id AS "accountId" FROM free_credit_grants WHERE person = sha256(convert_to(person_of($1), 'UTF8'))`;

/**
 * Keeps one person from collecting free credits: limits sign-ups per address and day, and grants
 * per person.
 */
@Injectable()
export class FreeCredits {
  constructor(
    private readonly postgres: Postgres,
    private readonly config: Config,
  ) {}

  /** True if free credits send only to the account's verified numbers. */
  get areForOwnNumbers(): boolean {
    return this.config.signIn.freeCreditsOwnNumber;
  }

  /**
   * Counts a sign-up against its client's network, in the transaction that creates the account.
   * Throws `too_many_attempts` beyond the network's limit within 24 hours.
   */
  async countSignUp(tx: EntityManager, accountId: string, address: string | undefined): Promise<void> {
    const { signUpsPerAddress } = this.config.rates;
    if (signUpsPerAddress === 0 || address === undefined) return;
    const network = clientNetwork(address);
    await tx.query(`SELECT pg_advisory_xact_lock(hashtext('sign-ups'), hashtext($1))`, [network]);
    const [row] = await tx.query<{ count: number; leftSeconds: number }[]>(
      `SELECT count(*)::int AS count,
         ceil(extract(epoch FROM min(created_at) + make_interval(hours => $2) - now()))::int AS "leftSeconds"
       FROM sign_ups WHERE address = $1 AND created_at > now() - make_interval(hours => $2)`,
      [network, SIGN_UP_HOURS],
    );
    if (row && row.count >= signUpsPerAddress)
      throw new DomainError('too_many_attempts', withTime(signInMessages.tooManySignUps, row.leftSeconds), {
        retryAfterSeconds: row.leftSeconds,
      });
    await tx.query('INSERT INTO sign_ups (account_id, address) VALUES ($1, $2)', [accountId, network]);
  }

  /**
   * Returns the free credits of a new account: 0 when the person has had them. Dots and +tags of an
   * address do not make another person; of two sign-ups at the same moment one gets the credits.
   */
  async grant(tx: EntityManager, accountId: string, email: string): Promise<number> {
    const rows = await tx.query<object[]>(
      `INSERT INTO free_credit_grants (person, account_id)
       VALUES (sha256(convert_to(person_of($2), 'UTF8')), $1)
       ON CONFLICT DO NOTHING RETURNING account_id`,
      [accountId, email],
    );
    return rows.length > 0 ? limits.signupCredits : 0;
  }

  /** Returns whether the account's person got the free credits with another account. */
  async wereForAnother(tx: EntityManager, accountId: string, email: string): Promise<boolean> {
    const [grant] = await tx.query<{ accountId: string }[]>(findGrant, [email]);
    return grant !== undefined && grant.accountId !== accountId;
  }

  /** Deletes sign-ups that no longer count. */
  async purge(): Promise<void> {
    await purge(this.postgres, signUps, [SIGN_UP_HOURS]);
  }
}
