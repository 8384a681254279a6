import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { limits } from '#contract/limits.js';
import { AuditLog } from '../../audit/audit-log.js';
import type { MailContent } from '../../mail/mail-template.js';
import { Mails } from '../../mail/mails.js';
import { Postgres } from '../../platform/database/postgres.js';
import { purge, type PurgeRule } from '../../platform/durable-work/retention.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { Logger } from '../../platform/telemetry/logger.js';
import { AccountsRepository } from '../accounts.repository.js';
import { EmailLinkEntity } from '../email-link.entity.js';

const TOKEN_BYTES = 32;
const TOKEN_FORM = /^[A-Za-z0-9_-]{43}$/;

type LinkPurpose = EmailLinkEntity['purpose'];

const minutes = { verify: limits.verificationLinkMinutes, reset: limits.passwordLinkMinutes } as const;

const expiredLinks: PurgeRule = { table: 'email_links', key: ['token_hash'], expired: 'expires_at <= now()' };

/** Parameters: token hash, purpose. */
export const findLink = {
  name: 'email-link-1',
  text: `SELECT account_id AS "accountId" FROM email_links
    WHERE token_hash = $1 AND purpose = $2 AND expires_at > now()`,
} as const;

/**
 * One-time links in emails: a random token that only the email has; the database stores its hash.
 */
@Injectable()
export class EmailLinks {
  constructor(
    private readonly postgres: Postgres,
    private readonly mails: Mails,
  ) {}

  /**
   * Creates a link and queues its email, in the caller's transaction. Earlier links stay valid
   * until they expire, so another person's requests do not void the reader's link. Returns false
   * when the account has had its emails of the hour.
   */
  async send(
    tx: EntityManager,
    { id: accountId, email: recipient }: { readonly id: string; readonly email: string },
    purpose: LinkPurpose,
    contentOf: (expiresAt: string) => Extract<MailContent, { kind: 'verify_email' | 'reset_password' }>,
  ): Promise<boolean> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const expiresAt = new Date(Date.now() + minutes[purpose] * 60_000);
    const content = contentOf(expiresAt.toISOString());
    const mail = {
      accountId,
      recipient,
      sourceId: randomUUID(),
      content,
      token,
      hourlyMax: limits.linkMailsPerHourMax,
    };
    if (!(await this.mails.queue(tx, mail))) return false;
    await tx.insert(EmailLinkEntity, { tokenHash: hashOf(token), accountId, purpose, expiresAt });
    return true;
  }

  /** Returns the account of a live link without using it up. */
  async accountOf(token: string, purpose: LinkPurpose): Promise<string | undefined> {
    if (!TOKEN_FORM.test(token)) return undefined;
    const hash = hashOf(token);
    const [link] = await this.postgres.ofKey('link', hash.toString('hex'), () =>
      this.postgres.query<{ accountId: string }>(findLink, [hash, purpose]),
    );
    return link?.accountId;
  }

  /** Uses up a live link of the account, and voids its other links. Throws `link_invalid`. */
  async use(tx: EntityManager, accountId: string, token: string, purpose: LinkPurpose): Promise<void> {
    const used = await tx
      .createQueryBuilder()
      .delete()
      .from(EmailLinkEntity)
      .where({ tokenHash: hashOf(token), purpose, accountId })
      .andWhere('expires_at > now()')
      .execute();
    if (used.affected === 0)
      throw new DomainError('link_invalid', 'It has expired, was used, or is not of this account.');
    await this.voidAll(tx, accountId);
  }

  /** Voids every link of the account. */
  async voidAll(tx: EntityManager, accountId: string): Promise<void> {
    await tx.delete(EmailLinkEntity, { accountId });
  }

  /** Deletes expired links. */
  async purge(): Promise<void> {
    await purge(this.postgres, expiredLinks, []);
  }
}

/** Parameters: account. No row when its address is verified, or Google vouches for it. */
export const unverifiedAccount = `
SELECT id, email FROM accounts
WHERE id = $1 AND sign_in_type = 'custom' AND email_verified_at IS NULL AND google_subject IS NULL
  AND blocked_at IS NULL`;

/**
 * Verifies that an account's owner reads its address. An unverified account works, but is trusted
 * less: Google sign-in is not linked to it, and a person who proves the address by a password link
 * takes it over (see PasswordChanges).
 */
@Injectable()
export class EmailVerification {
  constructor(
    private readonly postgres: Postgres,
    private readonly accounts: AccountsRepository,
    private readonly links: EmailLinks,
    private readonly auditLog: AuditLog,
  ) {}

  /**
   * Queues the email with the link in the caller's transaction, unless the address is verified.
   * Returns false beyond the bound.
   */
  async send(tx: EntityManager, accountId: string): Promise<boolean> {
    const [account] = await tx.query<{ id: string; email: string }[]>(unverifiedAccount, [accountId]);
    if (!account) return true;
    return this.links.send(tx, account, 'verify', (expiresAt) => ({ kind: 'verify_email', expiresAt }));
  }

  /** Sends the link again. Throws `too_many_mails`. */
  async resend(accountId: string): Promise<void> {
    const isSent = await this.postgres.change((tx) => this.send(tx, accountId));
    if (!isSent)
      throw new DomainError('too_many_mails', 'Look for the earlier emails, also among spam.', {
        retryAfterSeconds: 3_600,
      });
  }

  /**
   * Verifies the address of the signed-in account. The link alone is not enough: a person whose
   * address another person entered would verify that account by a click. Throws `link_invalid`.
   */
  async verify(accountId: string, token: string, address: string): Promise<void> {
    await this.postgres.change(async (tx) => {
      const [account] = await tx.query<object[]>(`${unverifiedAccount} FOR NO KEY UPDATE`, [accountId]);
      if (!account) return;
      await this.links.use(tx, accountId, token, 'verify');
      await this.accounts.setVerified(tx, accountId);
      await this.auditLog.record(tx, { actor: 'account', accountId, action: 'account.email_verified', address });
    });
  }
}

interface Recoverable {
  readonly id: string;
  readonly email: string;
  readonly hasPassword: boolean;
  readonly isVerified: boolean;
}

/** Parameters: email address. */
export const recoverable = {
  name: 'account-recoverable-1',
  text: `
SELECT id, email, password_hash IS NOT NULL AS "hasPassword",
  email_verified_at IS NOT NULL OR google_subject IS NOT NULL AS "isVerified"
FROM accounts WHERE lower(email) = lower($1) AND blocked_at IS NULL`,
} as const;

/** Sends the links to set a new password to people who forgot theirs. */
@Injectable()
export class PasswordLinks implements OnModuleDestroy {
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly postgres: Postgres,
    private readonly links: EmailLinks,
    private readonly mails: Mails,
    private readonly auditLog: AuditLog,
    private readonly logger: Logger,
  ) {}

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.pending);
  }

  /**
   * Mails a link to set a new password. Returns before the email is queued, so that neither time
   * nor answer tells whether the address has an account. Beyond the hour's bound nothing is sent.
   */
  async request(email: string, address: string): Promise<void> {
    const [account] = await this.postgres.ofKey('accounts_email', email.toLowerCase(), () =>
      this.postgres.query<Recoverable>(recoverable, [email]),
    );
    if (!account) return;
    const sending = this.postgres
      .ofAccount(account.id, () => this.send(account, address))
      .catch((err: unknown) => this.logger.error({ err, accountId: account.id }, 'password link not queued'))
      .finally(() => this.pending.delete(sending));
    this.pending.add(sending);
  }

  private async send({ id, email, hasPassword, isVerified }: Recoverable, address: string): Promise<void> {
    // The rest runs after the answer.
    await setImmediate();
    await this.postgres.transaction(async (tx) => {
      const content = { kind: 'google_reminder' } as const;
      const reminder = { accountId: id, recipient: email, sourceId: randomUUID(), content };
      const isSent = hasPassword
        ? await this.links.send(tx, { id, email }, 'reset', (expiresAt) => ({
            kind: 'reset_password',
            expiresAt,
            takesOver: !isVerified,
          }))
        : await this.mails.queue(tx, { ...reminder, hourlyMax: limits.linkMailsPerHourMax });
      if (!isSent) return;
      const entry = { actor: 'account', accountId: id, action: 'password.link_requested', address } as const;
      await this.auditLog.record(tx, entry);
    });
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
