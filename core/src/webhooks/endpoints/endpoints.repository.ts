import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Postgres } from '../../database/postgres.js';

const findUrl = { name: 'webhook-url-1', text: 'SELECT url FROM webhook_endpoints WHERE account_id = $1' };

/** Where accounts want to be told, and of what: one row per account, from the first setting on. */
@Injectable()
export class EndpointsRepository {
  constructor(private readonly postgres: Postgres) {}

  /** Null when none is set. */
  async urlOf(accountId: string): Promise<string | null> {
    const [row] = await this.postgres.query<{ url: string | null }>(findUrl, [accountId]);
    return row?.url ?? null;
  }

  /** Those of the accounts that have a URL. */
  async withUrl(tx: EntityManager, accountIds: readonly string[]): Promise<Set<string>> {
    const rows = await tx.query<{ account_id: string }[]>(
      'SELECT account_id FROM webhook_endpoints WHERE account_id = ANY ($1::uuid[]) AND url IS NOT NULL',
      [accountIds],
    );
    return new Set(rows.map((row) => row.account_id));
  }

  /** A new address starts afresh: failures of the one before do not count against it. */
  async setUrl(tx: EntityManager, accountId: string, url: string | null): Promise<void> {
    await tx.query(
      `INSERT INTO webhook_endpoints AS e (account_id, url) VALUES ($1, $2)
       ON CONFLICT (account_id) DO UPDATE
       SET url = excluded.url, failing_since = NULL, disabled_at = NULL, disabled_reason = NULL
       WHERE e.url IS DISTINCT FROM excluded.url`,
      [accountId, url],
    );
  }
}
