import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { signInMessages } from '#contract/sign-in.js';
import { nameIn, type SignUpFields } from '#contract/sign-up.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { AccountEntity } from '../account.entity.js';
import { AccountsRepository } from '../accounts.repository.js';
import { WRONG_PASSWORD } from '../sessions/sessions.js';
import { Passwords } from './passwords.js';
import { SignUp, type SignedUp } from './sign-up.js';

const GOOGLE_ATTEMPTS_MAX = 6;
/**
 * Wait before the next look for an account that another request has just created, doubled each
 * time. Between nodes a commit may be visible in one place first (PostgreSQL manual, PREPARE
 * TRANSACTION).
 */
const LOST_RACE_WAIT_MS = 25;

/**
 * A person's profile at Google. `subject` is Google's own id, which stays when the address changes.
 */
export interface GoogleProfile {
  readonly subject: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly displayName: string;
}

/** An account whose password was checked. */
interface PasswordAccount extends Pick<AccountEntity, 'id' | 'email' | 'displayName'> {
  readonly passwordHash: string;
}

/** Sign-in with Google, or with email address and password. */
@Injectable()
export class SignIn {
  constructor(
    private readonly postgres: Postgres,
    private readonly accounts: AccountsRepository,
    private readonly passwords: Passwords,
    private readonly signUp: SignUp,
    private readonly auditLog: AuditLog,
  ) {}

  /**
   * Finds the account by Google's id, or by a verified address whose account the operator created
   * or its owner has verified; otherwise creates it. Concurrent first sign-ins create one account.
   * Throws `sign_in_failed`, `user_record_failed`.
   */
  async withGoogle(profile: GoogleProfile, address?: string): Promise<SignedUp> {
    if (!profile.emailVerified) throw new DomainError('sign_in_failed', signInMessages.unverified);
    const displayName = nameOf(profile);
    for (let attempt = 1; attempt <= GOOGLE_ATTEMPTS_MAX; attempt += 1) {
      const account = await this.findOrLink(profile, displayName, address);
      if (account?.blockedAt) throw new DomainError('sign_in_failed', signInMessages.blocked);
      if (account) return { accountId: account.id, lacksCredits: false };
      try {
        const { email, subject: googleSubject } = profile;
        return await this.signUp.signUp({ email, displayName, signInType: 'google', googleSubject }, address);
      } catch (error) {
        if (!(error instanceof DomainError && error.code === 'account_exists')) throw error;
        // Another request has just created the account: sign in to that account.
        if (attempt > 1) await pause(LOST_RACE_WAIT_MS * 2 ** (attempt - 2));
      }
    }
    throw new DomainError('sign_in_failed', signInMessages.busy);
  }

  /**
   * Signs in with a password. Throws `sign_in_failed`, with the same text and time for a known and
   * an unknown address.
   */
  async withPassword(email: string, password: string): Promise<PasswordAccount> {
    const account = await this.accounts.findByEmail(email);
    const isCorrect = await this.passwords.verify(password, account?.passwordHash);
    if (!account?.passwordHash || !isCorrect) throw new DomainError('sign_in_failed', WRONG_PASSWORD);
    if (account.blockedAt) throw new DomainError('sign_in_failed', signInMessages.blocked);
    return { ...account, passwordHash: account.passwordHash };
  }

  /**
   * Checks the password of a signed-in user. Throws `password_wrong`, also for an account without a
   * password.
   */
  async confirmPassword(accountId: string, password: string): Promise<void> {
    const account = await this.accounts.findById(accountId);
    if (await this.passwords.verify(password, account?.passwordHash)) return;
    throw new DomainError('password_wrong', 'Nothing was changed.');
  }

  /**
   * Creates an account with a password; the fields have passed the contract's checks. Throws
   * `password_common`, `account_exists`, `email_check_failed`, `user_record_failed`.
   */
  async signUpWithPassword({ username, email, password }: SignUpFields, address?: string): Promise<SignedUp> {
    await this.passwords.refuseCommon(password, { email, displayName: username });
    const existing = await this.accounts.findByEmail(email).catch((cause: unknown) => {
      throw new DomainError('email_check_failed', 'The service is temporarily unavailable.', { cause });
    });
    if (existing) throw new DomainError('account_exists', 'Sign in, or use another address.');
    return this.signUp.signUp(
      {
        email,
        displayName: username,
        signInType: 'custom',
        passwordHash: await this.passwords.hash(password),
      },
      address,
    );
  }

  private async findOrLink(
    { subject, email }: GoogleProfile,
    displayName: string,
    address: string | undefined,
  ): Promise<AccountEntity | null> {
    const known = await this.accounts.findByGoogleSubject(subject);
    if (known) return known;
    const sameAddress = await this.accounts.findByEmail(email);
    if (!sameAddress) return null;
    // Another person may have created an unverified account, and linking would give that person
    // access.
    if (sameAddress.signInType === 'custom' && !sameAddress.emailVerifiedAt)
      throw new DomainError('sign_in_failed', signInMessages.hasPassword);
    if (sameAddress.googleSubject !== null && sameAddress.googleSubject !== subject)
      throw new DomainError('sign_in_failed', signInMessages.otherGoogleAccount);
    const { id } = sameAddress;
    await this.postgres.ofAccount(id, () =>
      this.postgres.transaction(async (tx) => {
        if (!(await this.accounts.linkGoogle(tx, id, subject, sameAddress.displayName || displayName))) return;
        await this.auditLog.record(tx, { actor: 'account', accountId: id, action: 'account.google_linked', address });
      }),
    );
    return this.accounts.findByGoogleSubject(subject);
  }
}

function nameOf({ displayName, email }: GoogleProfile): string {
  return nameIn(displayName) || nameIn(email.slice(0, email.indexOf('@')));
}
