import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { OptionalWebhookEvent } from '#contract/webhooks.js';
import { Postgres } from '../../platform/database/postgres.js';
import type { EncryptedSecrets } from './webhook-secrets.js';

export type DisabledReason = 'gone' | 'failing' | 'operator';

export interface Endpoint extends EncryptedSecrets {
  /** Null is the default, which means that receiving is off. */
  readonly url: string | null;
  readonly events: readonly OptionalWebhookEvent[];
  readonly previousSecretEndsAt: Date | null;
  readonly failingSince: Date | null;
  readonly disabledAt: Date | null;
  readonly disabledReason: DisabledReason | null;
  /** `credits.low` is told when the balance falls below it. */
  readonly lowCredits: number;
}

const find = {
  name: 'webhook-endpoint-1',
  text: `
SELECT url, events, secret, secret_key_id AS "secretKeyId",
  CASE WHEN previous_secret_ends_at > now() THEN previous_secret END AS "previousSecret",
  previous_secret_key_id AS "previousSecretKeyId",
  CASE WHEN previous_secret_ends_at > now() THEN previous_secret_ends_at END AS "previousSecretEndsAt",
  failing_since AS "failingSince", disabled_at AS "disabledAt", disabled_reason AS "disabledReason",
  low_credits::float8 AS "lowCredits"
FROM webhook_endpoints WHERE account_id = $1`,
};

const firstSecret = {
  name: 'webhook-first-secret-1',
  text: `
INSERT INTO webhook_endpoints AS e (account_id, secret, secret_key_id) VALUES ($1, $2, $3)
ON CONFLICT (account_id) DO UPDATE
SET secret = coalesce(e.secret, excluded.secret),
  secret_key_id = CASE WHEN e.secret IS NULL THEN excluded.secret_key_id ELSE e.secret_key_id END
RETURNING secret, secret_key_id AS "secretKeyId"`,
};

const subscribed = {
  name: 'webhook-subscribed-1',
  text: `
SELECT account_id AS "accountId" FROM webhook_endpoints
WHERE url IS NOT NULL AND events && ARRAY['message.sent', 'message.delivered', 'message.undelivered', 'message.failed']
LIMIT $1`,
};

/** Where accounts want to be told, and of what: one row per account, from the first setting on. */
@Injectable()
export class EndpointsRepository {
  constructor(private readonly postgres: Postgres) {}

  async find(accountId: string): Promise<Endpoint | undefined> {
    const [row] = await this.postgres.query<Endpoint>(find, [accountId]);
    return row;
  }

  /** Those of the accounts that have a URL. */
  async withUrl(tx: EntityManager, accountIds: readonly string[]): Promise<Set<string>> {
    const rows = await tx.query<{ account_id: string }[]>(
      'SELECT account_id FROM webhook_endpoints WHERE account_id = ANY ($1::uuid[]) AND url IS NOT NULL',
      [accountIds],
    );
    return new Set(rows.map((row) => row.account_id));
  }

  /** Accounts that want to be told of their messages' states; undefined when there are more than that. */
  async subscribedToMessages(accountsMax: number, tx?: EntityManager): Promise<Set<string> | undefined> {
    const values = [accountsMax + 1];
    const rows = tx
      ? await tx.query<{ accountId: string }[]>(subscribed.text, values)
      : await this.postgres.query<{ accountId: string }>(subscribed, values);
    return rows.length > accountsMax ? undefined : new Set(rows.map(({ accountId }) => accountId));
  }

  /** A new address starts afresh: failures of the one before do not count against it. What the operator turned off stays off. */
  async setUrl(tx: EntityManager, accountId: string, url: string | null): Promise<void> {
    await tx.query(
      `INSERT INTO webhook_endpoints AS e (account_id, url) VALUES ($1, $2)
       ON CONFLICT (account_id) DO UPDATE
       SET url = excluded.url, failing_since = NULL,
         disabled_at = CASE WHEN e.disabled_reason = 'operator' THEN e.disabled_at END,
         disabled_reason = CASE WHEN e.disabled_reason = 'operator' THEN e.disabled_reason END
       WHERE e.url IS DISTINCT FROM excluded.url`,
      [accountId, url],
    );
  }

  async setEvents(
    tx: EntityManager,
    accountId: string,
    events: readonly OptionalWebhookEvent[],
    lowCredits: number | null,
  ): Promise<void> {
    await tx.query(
      `INSERT INTO webhook_endpoints AS e (account_id, events, low_credits) VALUES ($1, $2, coalesce($3::bigint, 10))
       ON CONFLICT (account_id) DO UPDATE
       SET events = excluded.events, low_credits = coalesce($3::bigint, e.low_credits)`,
      [accountId, events, lowCredits],
    );
  }

  /** Answers the account's first secret: this one, or the one that somebody made before. */
  async firstSecret(
    accountId: string,
    sealed: Buffer,
    keyId: string,
  ): Promise<Pick<EncryptedSecrets, 'secret' | 'secretKeyId'>> {
    const [row] = await this.postgres.query<Pick<EncryptedSecrets, 'secret' | 'secretKeyId'>>(firstSecret, [
      accountId,
      sealed,
      keyId,
    ]);
    if (!row) throw new Error('An upsert answers one row');
    return row;
  }

  /** The secret before this one stays valid for so many hours. */
  async rotateSecret(
    tx: EntityManager,
    accountId: string,
    { sealed, keyId, keepHours }: { sealed: Buffer; keyId: string; keepHours: number },
  ): Promise<void> {
    await tx.query(
      `INSERT INTO webhook_endpoints AS e (account_id, secret, secret_key_id) VALUES ($1, $2, $3)
       ON CONFLICT (account_id) DO UPDATE
       SET secret = excluded.secret, secret_key_id = excluded.secret_key_id,
         previous_secret = e.secret, previous_secret_key_id = e.secret_key_id,
         previous_secret_ends_at = CASE WHEN e.secret IS NOT NULL THEN now() + make_interval(hours => $4) END`,
      [accountId, sealed, keyId, keepHours],
    );
  }

  /** Answers when it was turned off; undefined when there is none that is on, or its URL is another than the one meant. */
  async disable(
    tx: EntityManager,
    { accountId, url, reason }: { accountId: string; url: string | null; reason: DisabledReason },
  ): Promise<Date | undefined> {
    const [rows] = await tx.query<[{ disabled_at: Date }[], number]>(
      `UPDATE webhook_endpoints SET disabled_at = now(), disabled_reason = $3
       WHERE account_id = $1 AND url IS NOT NULL AND url = coalesce($2, url) AND disabled_at IS NULL
       RETURNING disabled_at`,
      [accountId, url, reason],
    );
    return rows[0]?.disabled_at;
  }

  /** Answers false when there is nothing to turn on, or only the operator may do it. */
  async enable(tx: EntityManager, accountId: string, actor: 'account' | 'operator'): Promise<boolean> {
    const [rows] = await tx.query<[object[], number]>(
      `UPDATE webhook_endpoints SET disabled_at = NULL, disabled_reason = NULL, failing_since = NULL
       WHERE account_id = $1 AND url IS NOT NULL AND disabled_at IS NOT NULL AND ($2 = 'operator' OR disabled_reason <> 'operator')
       RETURNING account_id`,
      [accountId, actor],
    );
    return rows.length > 0;
  }
}
