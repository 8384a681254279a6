import { Injectable } from '@nestjs/common';
import { ApiKeys } from '../../accounts/api-keys.js';
import { NamedKeys, type KeyChanger } from '../../accounts/named-keys.js';
import { Postgres } from '../../platform/database/postgres.js';
import type { EntityManager } from 'typeorm';
import { KeySchedules } from './key-schedules.js';

/** What an end of a key does about the messages that the key has scheduled. */
interface EndedKey {
  /** Messages that were canceled with the key; 0 unless this was asked for. */
  readonly canceled: number;
}

/**
 * Ends API keys and, if asked, cancels what they have scheduled, both in one transaction. Throws as
 * the keys' own methods do.
 */
@Injectable()
export class EndKeys {
  constructor(
    private readonly postgres: Postgres,
    private readonly apiKeys: ApiKeys,
    private readonly namedKeys: NamedKeys,
    private readonly schedules: KeySchedules,
  ) {}

  /** Ends a named key at once. */
  async revoke(by: KeyChanger, id: string, cancelScheduled: boolean): Promise<EndedKey> {
    const { canceled } = await this.end(by.accountId, id, cancelScheduled, (tx) => this.namedKeys.revoke(tx, by, id));
    return { canceled };
  }

  /** Replaces the secret of a named key and returns the new one. */
  async rotate(
    by: KeyChanger,
    id: string,
    keepOldForHours: number,
    cancelScheduled: boolean,
  ): Promise<EndedKey & { readonly secret: string }> {
    const { canceled, ended: secret } = await this.end(by.accountId, id, cancelScheduled, (tx) =>
      this.namedKeys.rotate(tx, by, id, keepOldForHours),
    );
    return { canceled, secret };
  }

  /** Replaces the account's first key. */
  async rotateFirst(
    accountId: string,
    keepOldForHours: number,
    cancelScheduled: boolean,
    address?: string,
  ): Promise<EndedKey> {
    const { canceled } = await this.end(accountId, accountId, cancelScheduled, (tx) =>
      this.apiKeys.rotate(tx, accountId, keepOldForHours, address),
    );
    return { canceled };
  }

  private async end<T>(
    accountId: string,
    keyId: string,
    cancelScheduled: boolean,
    endKey: (tx: EntityManager) => Promise<T>,
  ): Promise<{ canceled: number; ended: T }> {
    return this.postgres.transaction(async (tx) => {
      // Before the key's row, as acceptance does.
      if (cancelScheduled) await this.schedules.lock(tx, accountId);
      const ended = await endKey(tx);
      return { ended, canceled: cancelScheduled ? await this.schedules.cancel(tx, accountId, keyId) : 0 };
    });
  }
}
