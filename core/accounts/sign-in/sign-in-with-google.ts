import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { AccountEntity } from '../account.entity.js';
import { AccountsRepository } from '../accounts.repository.js';
import { SignUp, type SignedUp } from './sign-up.js';

const ATTEMPTS_MAX = 3;

/** What Google says of a person. `subject` is Google's own id, which stays when the address changes. */
export interface GoogleProfile {
  readonly subject: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly displayName: string;
}

/**
 * Finds or makes the account of a person whom Google knows: by Google's id, else by a verified address that the operator
 * has made an account for. Two first sign-ins at the same moment make one account. Throws `sign_in_failed`,
 * `user_record_failed`.
 */
@Injectable()
export class SignInWithGoogle {
  constructor(
    private readonly postgres: Postgres,
    private readonly accounts: AccountsRepository,
    private readonly signUp: SignUp,
    private readonly auditLog: AuditLog,
  ) {}

  async run(profile: GoogleProfile): Promise<SignedUp> {
    if (!profile.emailVerified)
      throw new DomainError('sign_in_failed', 'Your e-mail address is not verified at Google.');
    const displayName = nameOf(profile);
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
      const account = await this.findOrLink(profile, displayName);
      if (account?.blockedAt) throw new DomainError('sign_in_failed', 'This account is blocked. Contact support.');
      if (account) return { accountId: account.id, notice: undefined };
      try {
        const { email, subject: googleSubject } = profile;
        return await this.signUp.run({ email, displayName, signInType: 'google', googleSubject });
      } catch (error) {
        // The same person has just signed up in another request: look again.
        if (!(error instanceof DomainError && error.code === 'account_exists')) throw error;
      }
    }
    throw new DomainError('sign_in_failed', 'This account is being changed. Please try again.');
  }

  private async findOrLink(
    { subject, email }: GoogleProfile,
    displayName: string,
  ): Promise<AccountEntity | null | undefined> {
    const known = await this.accounts.findByGoogleSubject(subject);
    if (known) return known;
    const namesake = await this.accounts.findByEmail(email);
    if (!namesake) return undefined;
    // Nobody has proved that a custom account's address is his: whoever made it must not get into this person's.
    if (namesake.signInType === 'custom')
      throw new DomainError('sign_in_failed', 'This address signs in with its password.');
    if (namesake.googleSubject !== null && namesake.googleSubject !== subject)
      throw new DomainError('sign_in_failed', 'This address belongs to another Google account here. Contact support.');
    await this.postgres.transaction(async (tx) => {
      if (!(await this.accounts.linkGoogle(tx, namesake.id, subject, namesake.displayName || displayName))) return;
      await this.auditLog.record(tx, { actor: 'account', accountId: namesake.id, action: 'account.google_linked' });
    });
    return this.accounts.findByGoogleSubject(subject);
  }
}

function nameOf({ displayName, email }: GoogleProfile): string {
  const name = displayName.trim() || email.slice(0, email.indexOf('@'));
  return name.slice(0, limits.displayNameCharactersMax);
}
