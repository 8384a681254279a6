import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import type { EntityManager } from 'typeorm';
import { AuditLog } from '../../audit/audit-log.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { AccountErasure } from '../account-erasure.js';
import { AccountsRepository } from '../accounts.repository.js';
import { Notices } from '../../mail/notices.js';
import type { SessionAccount } from '../sessions/sessions.repository.js';
import { EmailLinks } from './email-links.js';

/**
 * OWASP's first choice for argon2id: 19 MiB, 2 passes, 1 lane. argon2id is the library's default
 * algorithm.
 */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Characters around a common word that do not make it a good password. */
const AROUND_MAX = 5;
const SERVICE_NAME = 'pennytext';

const lookalikes: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '3': 'e',
  '1': 'i',
  '!': 'i',
  '0': 'o',
  $: 's',
  '5': 's',
  '7': 't',
};

/** Owner of a password. Its name and address are refused as passwords. */
interface PasswordOwner {
  readonly email: string;
  readonly displayName: string;
}

/**
 * Hashes and verifies passwords with argon2id (RFC 9106), and refuses passwords that are guessed
 * first.
 */
@Injectable()
export class Passwords {
  /** Verified in place of a missing hash, so that both cases take the same time. */
  private readonly dummyHash = hash('the dummy password', cost);
  private common: Promise<ReadonlySet<string>> | undefined;

  async hash(password: string): Promise<string> {
    return hash(password, cost);
  }

  /** Takes as long without a hash as for a wrong password. */
  async verify(password: string, passwordHash: string | null | undefined): Promise<boolean> {
    const matches = await verify(passwordHash ?? (await this.dummyHash), password);
    return matches && typeof passwordHash === 'string';
  }

  /**
   * Throws `password_common` for one of the most common passwords, the service's name, and the
   * owner's name or address, also in other letter case, with look-alike characters, and with up to
   * 5 digits or symbols around it.
   */
  async refuseCommon(password: string, { email, displayName }: PasswordOwner): Promise<void> {
    this.common ??= commonPasswords();
    const common = await this.common;
    const own = [SERVICE_NAME, email, email.slice(0, email.indexOf('@')), displayName].map(lettersAndDigits);
    if (guessesOf(password).some((guess) => common.has(guess) || own.includes(guess)))
      throw new DomainError('password_common', 'It is among the passwords that are tried first.');
  }
}

/**
 * Sets new passwords, by an emailed link after the old password was forgotten, and on the Account
 * page.
 */
@Injectable()
export class PasswordChanges {
  constructor(
    private readonly postgres: Postgres,
    private readonly accounts: AccountsRepository,
    private readonly erasure: AccountErasure,
    private readonly passwords: Passwords,
    private readonly links: EmailLinks,
    private readonly notices: Notices,
    private readonly auditLog: AuditLog,
  ) {}

  /**
   * Sets a new password by a link, which also proves the address. Ends all sessions and links. If
   * the address was not verified before, another person may have created the account, so its API
   * keys and webhook end too. Returns the account's address. Throws `link_invalid`,
   * `password_common`.
   */
  async reset(token: string, password: string, address: string): Promise<string> {
    const accountId = await this.links.accountOf(token, 'reset');
    if (accountId === undefined) throw linkInvalid();
    return this.postgres.ofAccount(accountId, () => this.resetOf(accountId, { token, password, address }));
  }

  private async resetOf(
    id: string,
    { token, password, address }: { readonly token: string; readonly password: string; readonly address: string },
  ): Promise<string> {
    const account = await this.accounts.findById(id);
    if (!account || account.blockedAt) throw linkInvalid();
    await this.passwords.refuseCommon(password, account);
    const passwordHash = await this.passwords.hash(password);
    await this.postgres.change(async (tx) => {
      const wasVerified = await this.accounts.lockVerified(tx, id);
      await this.links.use(tx, id, token, 'reset');
      await this.accounts.setPassword(tx, id, passwordHash, null);
      await this.accounts.setVerified(tx, id);
      if (!wasVerified) await this.erasure.cutOff(tx, id);
      await this.recordChange(tx, id, wasVerified ? 'link' : 'takeover', address);
    });
    return account.email;
  }

  /**
   * Changes the password of a signed-in user and ends the other sessions. Throws `password_wrong`,
   * `password_common`.
   */
  async change(
    { accountId, sessionId }: Pick<SessionAccount, 'accountId' | 'sessionId'>,
    passwords: { readonly current: string; readonly next: string },
    address: string,
  ): Promise<void> {
    const account = await this.accounts.findById(accountId);
    const isCorrect = await this.passwords.verify(passwords.current, account?.passwordHash);
    if (!account || !isCorrect) throw new DomainError('password_wrong', 'Your password was not changed.');
    await this.passwords.refuseCommon(passwords.next, account);
    const passwordHash = await this.passwords.hash(passwords.next);
    await this.postgres.change(async (tx) => {
      await this.accounts.lockVerified(tx, accountId);
      await this.accounts.setPassword(tx, accountId, passwordHash, sessionId);
      await this.links.voidAll(tx, accountId);
      await this.recordChange(tx, accountId, 'account', address);
    });
  }

  private async recordChange(
    tx: EntityManager,
    accountId: string,
    by: 'account' | 'link' | 'takeover',
    address: string,
  ): Promise<void> {
    await this.auditLog.record(tx, {
      actor: 'account',
      accountId,
      action: 'password.changed',
      address,
      details: { by },
    });
    const at = new Date().toISOString();
    await this.notices.send(tx, accountId, { kind: 'password_changed', by, address, at });
  }
}

/**
 * 49,000 passwords from leaks, in lower case. Loading them takes a moment, so the first check does
 * it.
 */
async function commonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

/** Returns the password and its core, in lower case. */
function guessesOf(password: string): string[] {
  const lower = password.toLowerCase();
  const bare = lettersAndDigits(password);
  const words = [lower, bare].map((text) => text.replace(/^[^a-z]+|[^a-z]+$/g, ''));
  const guesses = [lower, bare, ...words.filter((word) => lower.length - word.length <= AROUND_MAX)];
  return [...guesses, ...guesses.map((guess) => guess.replace(/\W|\d/g, (one) => lookalikes[one] ?? one))];
}

function lettersAndDigits(text: string): string {
  return text.toLowerCase().replace(/[^a-z\d]/g, '');
}

function linkInvalid(): DomainError {
  return new DomainError('link_invalid', 'It has expired or was used.');
}
