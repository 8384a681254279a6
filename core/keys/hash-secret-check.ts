import { Injectable } from '@nestjs/common';
import { Postgres } from '../platform/database/postgres.js';
import { Logger } from '../platform/telemetry/logger.js';
import { ApiKeys } from './api-keys.js';

/** A process may start before its migrations have run, without the tables. */
const isMigrated = { text: `SELECT to_regclass('key_secrets') IS NOT NULL AS "isMigrated"` } as const;

/**
 * Checks at the start whether `API_KEY_HASH_SECRET` is the secret with which this database was
 * filled: with another secret every customer's key is unknown, and nothing else shows why.
 */
@Injectable()
export class HashSecretCheck {
  constructor(
    private readonly postgres: Postgres,
    private readonly apiKeys: ApiKeys,
    private readonly logger: Logger,
  ) {}

  /** Logs an error that names the variable and the fix. */
  async run(): Promise<void> {
    const [row] = await this.postgres.query<{ isMigrated: boolean }>(isMigrated, []);
    if (!row?.isMigrated || (await this.apiKeys.knowsStoredSecrets())) return;
    this.logger.error(
      {},
      'API_KEY_HASH_SECRET is not the one with which the API keys in this database were stored, so all of them are ' +
        'unknown (401): set the earlier value and start again; if it was changed on purpose, see docs/keys.md',
    );
  }
}
