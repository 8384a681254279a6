import { Injectable } from '@nestjs/common';
import type { SignUpFields } from '#contract/sign-up-fields.js';
import { limits } from '#contract/limits.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { AccountEntity } from '../account.entity.js';
import { AccountsRepository } from '../accounts.repository.js';
import { Passwords } from './passwords.js';
import { SignUp, type SignedUp } from './sign-up.js';

/** Sign-in with e-mail address and password; the fields have passed the contract's checks. */
@Injectable()
export class CustomSignIn {
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly passwords: Passwords,
    private readonly newAccount: SignUp,
  ) {}

  /** Throws `account_exists`, `email_check_failed`, `user_record_failed`. */
  async signUp({ username, email, password }: SignUpFields): Promise<SignedUp> {
    const taken = await this.accounts.findByEmail(email).catch((cause: unknown) => {
      throw new DomainError('email_check_failed', 'The service is not available for a moment.', { cause });
    });
    if (taken) throw new DomainError('account_exists', 'Sign in, or use another address.');
    return this.newAccount.run({
      email,
      displayName: username.slice(0, limits.displayNameCharactersMax),
      signInType: 'custom',
      passwordHash: await this.passwords.hash(password),
    });
  }

  /** Throws `sign_in_failed`, in the same words and time whether the address is known or not. */
  async logIn(email: string, password: string): Promise<Pick<AccountEntity, 'id' | 'email' | 'displayName'>> {
    const account = await this.accounts.findByEmail(email);
    const isRight = await this.passwords.isRight(password, account?.passwordHash);
    if (!account || !isRight) throw new DomainError('sign_in_failed', 'The e-mail address or the password is wrong.');
    if (account.blockedAt) throw new DomainError('sign_in_failed', 'This account is blocked. Contact support.');
    return account;
  }
}
