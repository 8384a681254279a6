import { Injectable } from '@nestjs/common';
import { IsNull, Not, type EntityManager } from 'typeorm';
import type { OptionalWebhookEvent } from '#contract/webhooks.js';
import type { EncryptedText } from '../../platform/crypto/encryption.js';
import { Postgres } from '../../platform/database/postgres.js';
import { EndpointEntity } from './endpoint.entity.js';

type DisabledReason = NonNullable<EndpointEntity['disabledReason']>;

export interface EncryptedSecrets {
  /** Null until the secret is first needed. */
  readonly current: EncryptedText | null;
  /** Set for a day after a rotation. */
  readonly previous: EncryptedText | null;
}

/** The columns of both secrets as statements return them. */
export interface SecretColumns {
  readonly secret: Buffer | null;
  readonly secretKeyId: string | null;
  readonly previousSecret: Buffer | null;
  readonly previousSecretKeyId: string | null;
}

export interface EndpointRow extends SecretColumns {
  readonly url: string | null;
  readonly events: readonly OptionalWebhookEvent[];
  readonly previousSecretEndsAt: Date | null;
  readonly failingSince: Date | null;
  readonly disabledAt: Date | null;
  readonly disabledReason: DisabledReason | null;
  readonly lowCredits: number;
}

/** A webhook endpoint. Each account has at most one endpoint, created by its first setting. */
export interface Endpoint extends Omit<EndpointRow, keyof SecretColumns> {
  readonly secrets: EncryptedSecrets;
}

/** Alert settings of an account. A null `dailySpend` turns that alert off. */
export interface AlertSettings {
  readonly lowCreditsMail: boolean;
  readonly lowCredits: number;
  readonly dailySpend: number | null;
}

/** An account with an alert. Days are New York days, 'YYYY-MM-DD'. */
export interface WatchedAccount extends AlertSettings {
  readonly accountId: string;
  readonly watchesBalance: boolean;
  /** True from a `credits.low` event until the balance reaches the threshold again. */
  readonly areLow: boolean;
  /** `spendBase`: credits that the account had used when `spendDay` began. */
  readonly spendDay: string | null;
  readonly spendBase: number | null;
  readonly alertedOn: string | null;
}

/** Accounts per round, and seconds between two checks of an account. */
const ALERTS_BATCH_MAX = 500;
const ALERTS_EVERY_SECONDS = 5;
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';

export const findEndpoint = {
  name: 'webhook-endpoint-1',
  text: `
SELECT url, events, secret, secret_key_id AS "secretKeyId",
  CASE WHEN previous_secret_ends_at > now() THEN previous_secret END AS "previousSecret",
  previous_secret_key_id AS "previousSecretKeyId",
  CASE WHEN previous_secret_ends_at > now() THEN previous_secret_ends_at END AS "previousSecretEndsAt",
  failing_since AS "failingSince", disabled_at AS "disabledAt", disabled_reason AS "disabledReason",
  low_credits::float8 AS "lowCredits"
FROM webhook_endpoints WHERE account_id = $1`,
} as const;

export const upsertFirstSecret = {
  name: 'webhook-first-secret-1',
  text: `
INSERT INTO webhook_endpoints AS e (account_id, secret, secret_key_id) VALUES ($1, $2, $3)
ON CONFLICT (account_id) DO UPDATE
SET secret = coalesce(e.secret, excluded.secret),
  secret_key_id = CASE WHEN e.secret IS NULL THEN excluded.secret_key_id ELSE e.secret_key_id END
RETURNING secret AS ciphertext, secret_key_id AS "keyId"`,
} as const;

export const subscribedToMessages = {
  name: 'webhook-subscribed-6',
  text: `
SELECT account_id AS "accountId" FROM webhook_endpoints
WHERE url IS NOT NULL
  AND events && ARRAY['message.scheduled', 'message.sent', 'message.rerouted', 'message.delivered',
    'message.undelivered', 'message.failed', 'message.canceled', 'otp.sent']
UNION
SELECT account_id FROM event_listeners WHERE listening_until > now()
LIMIT $1`,
} as const;

/** Parameter: accounts. */
export const receivingAccounts = {
  name: 'webhook-receiving-1',
  text: `
SELECT account_id AS "accountId" FROM webhook_endpoints WHERE account_id = ANY ($1::uuid[]) AND url IS NOT NULL
UNION
SELECT account_id FROM event_listeners WHERE account_id = ANY ($1::uuid[]) AND receiving_until > now()`,
} as const;

/** Parameters: account, URL or null for every URL, reason. */
export const disableEndpoint = {
  name: 'webhook-endpoint-disable-1',
  text: `
UPDATE webhook_endpoints SET disabled_at = now(), disabled_reason = $3
WHERE account_id = $1 AND url IS NOT NULL AND url = coalesce($2, url) AND disabled_at IS NULL
RETURNING disabled_at AS "disabledAt"`,
} as const;

/** Parameters: key id, account before the batch, size of the batch. */
export const takeSecretsToReencrypt = {
  name: 'webhook-secrets-reencrypt-1',
  text: `
SELECT account_id AS "accountId", secret, secret_key_id AS "secretKeyId",
  previous_secret AS "previousSecret", previous_secret_key_id AS "previousSecretKeyId"
FROM webhook_endpoints
WHERE account_id > $2 AND (secret IS NOT NULL AND secret_key_id IS DISTINCT FROM $1
  OR previous_secret IS NOT NULL AND previous_secret_key_id IS DISTINCT FROM $1)
ORDER BY account_id LIMIT $3 FOR NO KEY UPDATE`,
} as const;

/**
 * Locks the accounts that were checked longest ago; other workers skip them and find them again
 * after a few seconds.
 */
export const takeWatched = {
  name: 'credit-alerts-take-1',
  text: `
UPDATE webhook_endpoints e SET credits_seen_at = now()
FROM (
  SELECT account_id FROM webhook_endpoints
  WHERE (('credits.low' = ANY (events) AND url IS NOT NULL) OR low_credits_mail OR daily_spend IS NOT NULL)
    AND credits_seen_at <= now() - interval '${ALERTS_EVERY_SECONDS} seconds'
  ORDER BY credits_seen_at LIMIT ${ALERTS_BATCH_MAX} FOR NO KEY UPDATE SKIP LOCKED
) due
WHERE e.account_id = due.account_id
RETURNING e.account_id AS "accountId", low_credits_mail AS "lowCreditsMail", low_credits::float8 AS "lowCredits",
  daily_spend::float8 AS "dailySpend", credits_are_low AS "areLow",
  ('credits.low' = ANY (events) AND url IS NOT NULL) OR low_credits_mail AS "watchesBalance",
  spend_day::text AS "spendDay", spend_base::float8 AS "spendBase", spend_alerted_on::text AS "alertedOn"`,
} as const;

/** Parameters: account, URL. */
const writeUrl = {
  name: 'webhook-url-1',
  text: `
INSERT INTO webhook_endpoints AS e (account_id, url) VALUES ($1, $2)
ON CONFLICT (account_id) DO UPDATE
SET url = excluded.url, failing_since = NULL,
  disabled_at = CASE WHEN e.disabled_reason = 'operator' THEN e.disabled_at END,
  disabled_reason = CASE WHEN e.disabled_reason = 'operator' THEN e.disabled_reason END
WHERE e.url IS DISTINCT FROM excluded.url`,
} as const;

/** Parameters: account, events, threshold of credits or null. */
const writeEvents = {
  name: 'webhook-events-1',
  text: `
INSERT INTO webhook_endpoints AS e (account_id, events, low_credits) VALUES ($1, $2, coalesce($3::bigint, 10))
ON CONFLICT (account_id) DO UPDATE
SET events = excluded.events, low_credits = coalesce($3::bigint, e.low_credits)`,
} as const;

/**
 * Parameters: account, encrypted secret, its encryption key, hours that the previous secret is
 * kept.
 */
const rotateSecret = {
  name: 'webhook-secret-rotate-1',
  text: `
INSERT INTO webhook_endpoints AS e (account_id, secret, secret_key_id) VALUES ($1, $2, $3)
ON CONFLICT (account_id) DO UPDATE
SET secret = excluded.secret, secret_key_id = excluded.secret_key_id,
  previous_secret = e.secret, previous_secret_key_id = e.secret_key_id,
  previous_secret_ends_at = CASE WHEN e.secret IS NOT NULL THEN now() + make_interval(hours => $4) END`,
} as const;

/**
 * Parameters: account, encrypted secret, its encryption key, the previous secret, its encryption
 * key; null keeps the stored value.
 */
const replaceSecrets = {
  name: 'webhook-secrets-replace-1',
  text: `
UPDATE webhook_endpoints
SET secret = coalesce($2, secret), secret_key_id = coalesce($3, secret_key_id),
  previous_secret = coalesce($4, previous_secret), previous_secret_key_id = coalesce($5, previous_secret_key_id)
WHERE account_id = $1`,
} as const;

/** Parameters: account, whether mails are sent, threshold of credits, credits of a day or null. */
const writeAlerts = {
  name: 'credit-alerts-write-1',
  text: `
INSERT INTO webhook_endpoints AS e (account_id, low_credits_mail, low_credits, daily_spend)
VALUES ($1, $2, $3, $4)
ON CONFLICT (account_id) DO UPDATE
SET low_credits_mail = excluded.low_credits_mail, low_credits = excluded.low_credits,
  daily_spend = excluded.daily_spend,
  credits_are_low = e.credits_are_low
    AND (e.low_credits_mail OR 'credits.low' = ANY (e.events) AND e.url IS NOT NULL)`,
} as const;

/** Parameters: accounts, whether their credits are low. */
const markLowCredits = {
  name: 'credit-alerts-mark-1',
  text: 'UPDATE webhook_endpoints SET credits_are_low = $2 WHERE account_id = ANY ($1::uuid[])',
} as const;

/** Reads and writes webhook endpoints. */
@Injectable()
export class EndpointsRepository {
  constructor(private readonly postgres: Postgres) {}

  async find(accountId: string): Promise<Endpoint | undefined> {
    const [row] = await this.postgres.query<EndpointRow>(findEndpoint, [accountId]);
    if (!row) return undefined;
    const { secret, secretKeyId, previousSecret, previousSecretKeyId, ...rest } = row;
    return { ...rest, secrets: secretsOf({ secret, secretKeyId, previousSecret, previousSecretKeyId }) };
  }

  /** Returns the accounts among these that have a URL or an open event stream. */
  async receiving(tx: EntityManager, accountIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.postgres.run<{ accountId: string }>(tx, receivingAccounts, [accountIds]);
    return new Set(rows.map(({ accountId }) => accountId));
  }

  async isReceiving(accountId: string): Promise<boolean> {
    return (await this.postgres.query(receivingAccounts, [[accountId]])).length > 0;
  }

  /**
   * Returns the accounts that subscribe or listen to states of their messages; undefined for more
   * than `accountsMax` accounts.
   */
  async subscribedToMessages(accountsMax: number, tx?: EntityManager): Promise<Set<string> | undefined> {
    const values = [accountsMax + 1];
    const rows = tx
      ? await this.postgres.run<{ accountId: string }>(tx, subscribedToMessages, values)
      : await this.postgres.query<{ accountId: string }>(subscribedToMessages, values);
    return rows.length > accountsMax ? undefined : new Set(rows.map(({ accountId }) => accountId));
  }

  /**
   * Sets the URL. A new URL clears earlier failures and turns the endpoint on, unless the operator
   * turned it off.
   */
  async setUrl(tx: EntityManager, accountId: string, url: string | null): Promise<void> {
    await this.postgres.run(tx, writeUrl, [accountId, url]);
  }

  /** Sets the subscribed events; a null `lowCredits` keeps the threshold. */
  async setEvents(
    tx: EntityManager,
    accountId: string,
    events: readonly OptionalWebhookEvent[],
    lowCredits: number | null,
  ): Promise<void> {
    await this.postgres.run(tx, writeEvents, [accountId, events, lowCredits]);
  }

  /** Stores the account's first secret unless it has one, and returns the stored secret. */
  async firstSecret(accountId: string, secret: EncryptedText): Promise<EncryptedText> {
    const [stored] = await this.postgres.query<EncryptedText>(upsertFirstSecret, [
      accountId,
      secret.ciphertext,
      secret.keyId,
    ]);
    return stored ?? secret;
  }

  /** Replaces the secret; the previous secret stays valid for `keepHours`. */
  async rotateSecret(
    tx: EntityManager,
    accountId: string,
    { ciphertext, keyId }: EncryptedText,
    keepHours: number,
  ): Promise<void> {
    await this.postgres.run(tx, rotateSecret, [accountId, ciphertext, keyId, keepHours]);
  }

  /**
   * Turns the endpoint off and returns the time. Returns undefined when the account has no endpoint
   * that is on, or its URL is not the given URL; a null `url` matches every URL.
   */
  async disable(
    tx: EntityManager,
    { accountId, url, reason }: { accountId: string; url: string | null; reason: DisabledReason },
  ): Promise<Date | undefined> {
    const rows = await this.postgres.run<{ disabledAt: Date }>(tx, disableEndpoint, [accountId, url, reason]);
    return rows[0]?.disabledAt;
  }

  /**
   * Turns the endpoint on. Returns false without an endpoint that is off, or if only the operator
   * may turn it on.
   */
  async enable(tx: EntityManager, accountId: string, actor: 'account' | 'operator'): Promise<boolean> {
    const isOff = { url: Not(IsNull()), disabledAt: Not(IsNull()) };
    const mayBe = actor === 'operator' ? {} : { disabledReason: Not<'operator'>('operator') };
    const on = { disabledAt: null, disabledReason: null, failingSince: null };
    return (await tx.update(EndpointEntity, { accountId, ...isOff, ...mayBe }, on)).affected === 1;
  }

  /**
   * Locks the next batch of endpoints with a secret that was encrypted with another encryption key.
   */
  async takeSecretsToReencrypt(
    tx: EntityManager,
    { keyId, after, endpointsMax }: { keyId: string; after: string | undefined; endpointsMax: number },
  ): Promise<(EncryptedSecrets & { accountId: string })[]> {
    const rows = await this.postgres.run<SecretColumns & { accountId: string }>(tx, takeSecretsToReencrypt, [
      keyId,
      after ?? LOWEST_ID,
      endpointsMax,
    ]);
    return rows.map(({ accountId, ...columns }) => ({ accountId, ...secretsOf(columns) }));
  }

  /** Replaces the ciphertexts of both secrets; null keeps the stored value. */
  async replaceSecrets(tx: EntityManager, accountId: string, { current, previous }: EncryptedSecrets): Promise<void> {
    await this.postgres.run(tx, replaceSecrets, [
      accountId,
      current?.ciphertext ?? null,
      current?.keyId ?? null,
      previous?.ciphertext ?? null,
      previous?.keyId ?? null,
    ]);
  }

  async findAlerts(accountId: string): Promise<AlertSettings | null> {
    return this.postgres.call((manager) => manager.findOneBy(EndpointEntity, { accountId }));
  }

  /** Sets the alerts. A balance that was not watched before counts as not low. */
  async setAlerts(tx: EntityManager, accountId: string, alerts: AlertSettings): Promise<void> {
    const { lowCreditsMail, lowCredits, dailySpend } = alerts;
    await this.postgres.run(tx, writeAlerts, [accountId, lowCreditsMail, lowCredits, dailySpend]);
  }

  async takeWatched(tx: EntityManager): Promise<WatchedAccount[]> {
    return this.postgres.run<WatchedAccount>(tx, takeWatched, []);
  }

  async startSpendDay(tx: EntityManager, accountId: string, day: string, base: number): Promise<void> {
    await tx.update(EndpointEntity, { accountId }, { spendDay: day, spendBase: base });
  }

  async markSpendAlerted(tx: EntityManager, accountId: string, day: string): Promise<void> {
    await tx.update(EndpointEntity, { accountId }, { spendAlertedOn: day });
  }

  async markLowCredits(tx: EntityManager, accountIds: readonly string[], areLow: boolean): Promise<void> {
    await this.postgres.run(tx, markLowCredits, [accountIds, areLow]);
  }
}

/** Groups the columns of both secrets. */
export function secretsOf(columns: SecretColumns): EncryptedSecrets {
  const { secret, secretKeyId, previousSecret, previousSecretKeyId } = columns;
  return {
    current: secret && { ciphertext: secret, keyId: secretKeyId },
    previous: previousSecret && { ciphertext: previousSecret, keyId: previousSecretKeyId },
  };
}
