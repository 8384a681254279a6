import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { AuditLog } from '../../audit/audit-log.js';
import { Postgres } from '../../platform/database/postgres.js';
import { DomainError } from '../../platform/errors/domain-error.js';
import { ApiKeys } from '../api-keys.js';
import { ApiKeysRepository } from './api-keys.repository.js';

/**
 * Gives an account a new API key; the one before works for so many hours more. An earlier end that a key had already stands.
 * Throws `too_many_keys`.
 */
@Injectable()
export class RotateKey {
  constructor(
    private readonly postgres: Postgres,
    private readonly keys: ApiKeysRepository,
    private readonly apiKeys: ApiKeys,
    private readonly auditLog: AuditLog,
  ) {}

  async run(accountId: string, keepOldForHours: number): Promise<void> {
    const key = this.apiKeys.generate();
    await this.postgres.transaction(async (tx) => {
      const earlier = await this.keys.lockForRotation(tx, accountId);
      if (earlier >= limits.oldKeysMax && keepOldForHours > 0)
        throw new DomainError('too_many_keys', 'End the old keys at once, or wait until some of them have ended.');
      await this.keys.endAll(tx, accountId, keepOldForHours);
      await this.keys.insert(tx, { accountId, keyHash: this.apiKeys.hash(key), ...this.apiKeys.encrypt(key) });
      await this.auditLog.record(tx, {
        actor: 'account',
        accountId,
        action: 'key.rotated',
        details: { keepOldForHours },
      });
    });
  }
}
