import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditLog } from '../audit/audit-log.js';
import { Credits } from '../credits/credits.js';
import { Mails } from '../mail/mails.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { Logger } from '../platform/telemetry/logger.js';
import { emailAddressOf } from '../rules/otp-channels.js';
import { numberOrSender } from '../rules/phone-numbers.js';
import { AccountsRepository } from './accounts.repository.js';
import { ApiKeys } from '../keys/api-keys.js';
import { Every } from '../platform/schedules/every.js';

const ERASED_EVERY_MS = 60_000;

/** Erases one feature's data about an account and the people it talked to. */
export interface FeatureErasure {
  /**
   * Describes work that must finish before the account can be erased, such as '3 messages';
   * undefined when there is none.
   */
  inProgress?(accountId: string): Promise<string | undefined>;
  /** Removes personal data; amounts and times may stay. Safe to repeat. */
  erase(accountId: string): Promise<void>;
  /** Ends the ways by which an earlier holder of the account receives its data. */
  cutOff?(tx: EntityManager, accountId: string): Promise<void>;
  /** Removes a phone number from all rows except those in progress. Safe to repeat. */
  eraseRecipient?(accountId: string, number: string): Promise<RecipientTraces>;
}

/** Result of erasing one phone number from one feature's rows. */
export interface RecipientTraces {
  /** Kind of the rows, such as 'messages'. */
  readonly name: string;
  readonly erased: number;
  readonly inProgress: number;
}

interface ErasedRecipient {
  readonly id: string;
  readonly erased: Readonly<Record<string, number>>;
  /** Rows that keep the number until they have ended; erase again then. */
  readonly inProgress: Readonly<Record<string, number>>;
}

/** Erasure at the request of an account's owner, recorded like this in the audit log. */
const OWNER = { actor: 'account', details: {} } as const;

interface ErasedAccount {
  /** The ledger keeps the id. */
  readonly id: string;
  readonly deleted: true;
  /** Credits that can no longer be used. */
  readonly creditsLeft: number;
}

/**
 * Erases accounts: removes all personal data and keeps amounts and the ledger under the account's
 * id. The account is closed first, so that no new work starts, and its address is removed last, so
 * that an interrupted erasure can be repeated. Each feature registers the erasure of its own
 * tables.
 */
@Injectable()
export class AccountErasure {
  private readonly features: FeatureErasure[] = [];

  constructor(
    private readonly postgres: Postgres,
    private readonly accounts: AccountsRepository,
    private readonly apiKeys: ApiKeys,
    private readonly credits: Credits,
    private readonly mails: Mails,
    private readonly auditLog: AuditLog,
    private readonly logger: Logger,
  ) {}

  register(feature: FeatureErasure): void {
    this.features.push(feature);
  }

  /** Throws `account_not_found`, and `account_busy` while messages are in progress. */
  async erase(email: string, reason: string): Promise<ErasedAccount> {
    const account = await this.accounts.findByEmail(email);
    if (!account) throw new DomainError('account_not_found', `No account has the address ${email}.`);
    const { id } = account;
    await this.assertIdle(id, 'Nothing was changed. Block the account and try again when they have finished.');
    await this.postgres.transaction((tx) => this.accounts.close(tx, id));
    return this.eraseClosed(id, { actor: 'operator', details: { why: reason } });
  }

  /**
   * Erases accounts whose owners asked for it and whose days of grace are over; returns how many
   * were due. Each account is closed first, and erased when its messages have ended. Safe in
   * several workers at once; a failed account is due again later.
   */
  @Every({ name: 'account erasure', everyMs: ERASED_EVERY_MS, whileMore: true })
  async eraseDue(): Promise<number> {
    const ids = await this.postgres.transaction((tx) => this.accounts.closeDue(tx));
    for (const accountId of ids)
      await this.eraseClosed(accountId, OWNER).catch((err: unknown) => {
        if (err instanceof DomainError && err.code === 'account_busy')
          this.logger.info({ accountId, reason: err.detail }, 'account erasure waits');
        else this.logger.error({ err, accountId }, 'account erasure failed');
      });
    return ids.length;
  }

  /**
   * Erases one person's phone number, or address of email, from an account's messages, replies, codes and
   * webhooks. Rows in progress stay and are counted. Opt-outs stay, because the person's wish outlives the data.
   * Throws `account_not_found`.
   */
  async eraseRecipient(email: string, number: string): Promise<ErasedRecipient> {
    const account = await this.accounts.findByEmail(email);
    if (!account) throw new DomainError('account_not_found', `No account has the address ${email}.`);
    // Replies may come from short codes, which are not recipients.
    const person = emailAddressOf(number) ?? numberOrSender(number);
    if (!/\d{3}|@/.test(person))
      throw new DomainError('invalid_request', 'Give a phone number, a short code or an address of email.');
    const traces: RecipientTraces[] = [];
    for (const feature of this.features)
      if (feature.eraseRecipient) traces.push(await feature.eraseRecipient(account.id, person));
    const countsOf = (key: 'erased' | 'inProgress') => Object.fromEntries(traces.map((one) => [one.name, one[key]]));
    return { id: account.id, erased: countsOf('erased'), inProgress: countsOf('inProgress') };
  }

  /**
   * Replaces the API keys and ends every other access of an earlier holder when the owner of the
   * address takes the account over.
   */
  async cutOff(tx: EntityManager, accountId: string): Promise<void> {
    await this.apiKeys.replaceAll(tx, accountId);
    for (const feature of this.features) await feature.cutOff?.(tx, accountId);
  }

  private async eraseClosed(
    id: string,
    { actor, details }: { actor: 'account' | 'operator'; details: object },
  ): Promise<ErasedAccount> {
    // Purchases of numbers that began earlier are visible then; later purchases see the closed
    // account.
    await this.postgres.transaction((tx) => this.credits.lock(tx, [id]));
    // Messages may have been accepted before the account was closed.
    await this.assertIdle(id, 'The account is closed now. Try again when they have finished.');
    for (const feature of this.features) await feature.erase(id);
    const { balance: creditsLeft } = await this.credits.balanceOf(id);
    await this.postgres.transaction(async (tx) => {
      await this.mails.eraseAccount(tx, id);
      await this.accounts.anonymize(tx, id);
      const entry = { actor, accountId: id, action: 'account.deleted', details: { ...details, creditsLeft } } as const;
      await this.auditLog.record(tx, entry);
    });
    this.logger.warn({ accountId: id, creditsLeft }, 'account erased');
    return { id, deleted: true, creditsLeft };
  }

  private async assertIdle(accountId: string, hint: string): Promise<void> {
    const answers = await Promise.all(this.features.map(async (feature) => feature.inProgress?.(accountId)));
    const inProgress = answers.filter((answer) => answer !== undefined);
    if (inProgress.length > 0)
      throw new DomainError('account_busy', `The account has ${inProgress.join(' and ')} in progress. ${hint}`);
  }
}
