import type { EntityManager } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { Accounts } from '../../accounts/accounts.js';
import { senderForm } from '../../platform/config/env-values.js';
import { sqlState } from '../../platform/database/database-error.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import type { ApiKey } from '../../keys/api-key.js';
import { CarrierSenders } from '../routes/carrier-senders.js';
import { AccountSenderEntity } from './account-sender.entity.js';

const UNIQUE_VIOLATION = '23505';
/** Acceptance notices a change at once; this finds senders that are shared again. */
const FRESH_MS = 60_000;

export const dedicatedStatement = {
  name: 'dedicated-senders-5',
  text: `
SELECT s.account_id AS "accountId", s.sender, k.hash AS "keyHash"
FROM account_senders s
LEFT JOIN key_secrets k ON k.account_id = s.account_id AND (k.expires_at IS NULL OR k.expires_at > now())
ORDER BY s.created_at, s.sender`,
  answerWithinMs: 5_000,
} as const;

export interface DedicatedSender {
  readonly accountId: string;
  readonly sender: string;
  /** One of the account's keys; null when it has none. */
  readonly keyHash: Buffer | null;
}

interface Dedicated {
  readonly byAccount: ReadonlyMap<string, readonly string[]>;
  /** By API key's hash in base64. */
  readonly byKey: ReadonlyMap<string, readonly string[]>;
  readonly all: ReadonlySet<string>;
}

/**
 * Senders that the operator has given to one account: it uses no others, and no other account uses
 * them. Kept in memory; the acceptance statement refuses a sender chosen from outdated knowledge.
 */
@Injectable()
export class DedicatedSenders {
  private reading: Promise<Dedicated> | undefined;
  private readAtMs = -Infinity;

  constructor(
    private readonly postgres: Postgres,
    private readonly accounts: Accounts,
    private readonly carrierSenders: CarrierSenders,
  ) {}

  /**
   * Returns the account's own senders, or the shared ones among `configured`. Throws `unavailable`
   * when there is none.
   */
  async candidates(key: ApiKey, configured: readonly string[]): Promise<readonly string[]> {
    const { byKey, all } = await this.current();
    if (all.size === 0) return configured;
    const candidates = byKey.get(key.hash.toString('base64')) ?? configured.filter((sender) => !all.has(sender));
    if (candidates.length > 0) return candidates;
    throw new DomainError('unavailable', 'No sender is free for this account. You were not charged. Contact support.');
  }

  /** As {@link candidates}, of an account that is known; none where that throws. */
  async candidatesOf(accountId: string, configured: readonly string[]): Promise<readonly string[]> {
    const { byAccount, all } = await this.current();
    return byAccount.get(accountId) ?? configured.filter((sender) => !all.has(sender));
  }

  /** Returns all dedicated senders. */
  async all(): Promise<ReadonlySet<string>> {
    return (await this.current()).all;
  }

  /** Makes the next call read them again. */
  refresh(): void {
    this.readAtMs = -Infinity;
  }

  /**
   * Gives an account senders of its own in place of earlier ones; without any it uses the shared
   * ones. Throws `account_not_found`, and `invalid_request` when a sender is not one, belongs to
   * another account, or is the last shared one.
   */
  async set(email: string, senders: readonly string[]): Promise<{ email: string; senders: readonly string[] }> {
    const { id } = await this.accounts.getByEmail(email);
    const unique = [...new Set(senders)];
    const invalid = unique.find((sender) => !senderForm.test(sender));
    if (invalid !== undefined) throw new DomainError('invalid_request', `${invalid} is neither +number nor MG… id.`);
    const change = async (tx: EntityManager) => {
      await tx.query(`SELECT pg_advisory_xact_lock(hashtext('account senders'))`);
      await tx.delete(AccountSenderEntity, { accountId: id });
      const rows = unique.map((sender) => ({ accountId: id, sender }));
      try {
        if (rows.length > 0) await tx.insert(AccountSenderEntity, rows);
      } catch (cause) {
        if (sqlState(cause) !== UNIQUE_VIOLATION) throw cause;
        throw new DomainError('invalid_request', 'Another account has one of these senders.', { cause });
      }
      const taken = await tx.find(AccountSenderEntity);
      this.assertSharedSendersLeft(new Set(taken.map(({ sender }) => sender)));
    };
    await this.postgres.ofAll(() => this.postgres.transaction(change));
    this.refresh();
    return { email, senders: unique };
  }

  private assertSharedSendersLeft(taken: ReadonlySet<string>): void {
    if (this.carrierSenders.all().every((list) => list.some((sender) => !taken.has(sender)))) return;
    throw new DomainError('invalid_request', 'A list of TWILIO_SENDERS would have no shared sender left.');
  }

  private current(): Promise<Dedicated> {
    if (this.reading && performance.now() - this.readAtMs < FRESH_MS) return this.reading;
    this.readAtMs = performance.now();
    const reading = this.read();
    this.reading = reading;
    reading.catch(() => {
      if (this.reading === reading) this.reading = undefined;
    });
    return reading;
  }

  private async read(): Promise<Dedicated> {
    const found = await this.postgres.onEachInReach(() => this.postgres.query<DedicatedSender>(dedicatedStatement, []));
    const rows = found.flat();
    const byKey = new Map<string, string[]>();
    const byAccount = new Map<string, readonly string[]>();
    for (const { accountId, sender, keyHash } of rows) {
      byAccount.set(accountId, [...new Set([...(byAccount.get(accountId) ?? []), sender])]);
      if (!keyHash) continue;
      const name = keyHash.toString('base64');
      byKey.set(name, [...(byKey.get(name) ?? []), sender]);
    }
    return { byKey, byAccount, all: new Set(rows.map(({ sender }) => sender)) };
  }
}
