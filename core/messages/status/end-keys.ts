import { Injectable } from '@nestjs/common';
import { ApiKeys } from '../../keys/api-keys.js';
import { NamedKeys, type KeyChanger } from '../../keys/named-keys.js';
import { Postgres } from '../../platform/database/postgres.js';
import type { EntityManager } from 'typeorm';
import { KeySchedules } from './key-schedules.js';

/** Effect of a key's end on the messages that the key has scheduled. */
interface EndedKey {
  /** Number of messages canceled with the key; 0 unless requested. */
  readonly canceled: number;
}

/**
 * Ends API keys and, if requested, cancels their scheduled messages, in one transaction. Throws as
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
    return this.end(by.accountId, cancelScheduled, async (tx) => {
      await this.namedKeys.revoke(tx, by, id);
      return { keyId: id };
    });
  }

  /** Replaces the secret of a named key and returns the new one. */
  async rotate(
    by: KeyChanger,
    id: string,
    keepOldForHours: number,
    cancelScheduled: boolean,
  ): Promise<EndedKey & { readonly secret: string }> {
    return this.end(by.accountId, cancelScheduled, async (tx) => ({
      keyId: id,
      secret: await this.namedKeys.rotate(tx, by, id, keepOldForHours),
    }));
  }

  /** Replaces the secret of the account's default key. */
  async rotateDefault(
    accountId: string,
    keepOldForHours: number,
    cancelScheduled: boolean,
    address?: string,
  ): Promise<EndedKey> {
    return this.end(accountId, cancelScheduled, async (tx) => ({
      keyId: await this.apiKeys.rotate(tx, accountId, keepOldForHours, address),
    }));
  }

  private async end<Ended extends { readonly keyId: string }>(
    accountId: string,
    cancelScheduled: boolean,
    endKey: (tx: EntityManager) => Promise<Ended>,
  ): Promise<Omit<Ended, 'keyId'> & EndedKey> {
    return this.postgres.change(async (tx) => {
      // The account is locked before the key's row, as in acceptance.
      if (cancelScheduled) await this.schedules.lock(tx, accountId);
      const { keyId, ...ended } = await endKey(tx);
      return { ...ended, canceled: cancelScheduled ? await this.schedules.cancel(tx, accountId, keyId) : 0 };
    });
  }
}
