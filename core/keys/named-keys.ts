import { randomBytes, randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import {
  type CreateKeyBody,
  type KeyScope,
  keyScopes,
  type NamedKeyBody,
  type NamedKeyView,
} from '#contract/account.js';
import type { KeyBudget } from '#contract/credits.js';
import { limits } from '#contract/limits.js';
import type { PlugProduct } from '#contract/plug-products.js';
import { regions } from '#contract/regions.js';
import { AuditLog, type AuditAction } from '../audit/audit-log.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { allowedNetworkOf } from '../rules/network-addresses.js';
import { secondsUntilNewYorkMidnight, secondsUntilNewYorkMonth } from '../rules/time.js';
import { ApiKeys, ending, keyPrefixes } from './api-keys.js';
import { ApiKeysRepository, type LockedKey, type NewSecret } from './api-keys.repository.js';
import { Notices } from '../mail/notices.js';
import { ApiKeyEntity, type PlugColumns } from './api-key.entity.js';
import type { ApiKey } from './api-key.js';

const SECRET_BYTES = 20;
const SAMPLES_NAME = 'Documentation samples';

/** A row as {@link listNamedKeys} returns it. Null lists are no limits. */
interface NamedKeyRow {
  readonly id: string;
  readonly name: string;
  readonly mode: 'live' | 'test';
  readonly ending: string;
  readonly forSamples: boolean;
  readonly plug: PlugProduct | null;
  readonly scopes: KeyScope[];
  readonly addresses: string[] | null;
  readonly countries: string[] | null;
  readonly creditsPerDay: number | null;
  readonly creditsPerMonth: number | null;
  readonly messagesPerSecond: number | null;
  readonly spentToday: number;
  readonly spentThisMonth: number;
  readonly expiresAt: Date | null;
  readonly isExpired: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly lastUsedAddress: string | null;
  /** Replaced secrets that still work; latest end first. */
  readonly earlier: { ending: string; lastUsedAt: string | null; expiresAt: string }[];
}

const today = `(now() AT TIME ZONE 'America/New_York')::date`;

const spentToday = `CASE WHEN spent_on = ${today} THEN spent_that_day ELSE 0 END::float8`;
const spentThisMonth =
  `CASE WHEN date_trunc('month', spent_on) = date_trunc('month', ${today}) THEN spent_that_month ELSE 0 ` +
  'END::float8';

/** Parameter: account. */
export const listNamedKeys = {
  name: 'named-keys-list-4',
  text: `
SELECT k.id, k.name, k.mode, current.ending, k.for_samples AS "forSamples", k.plug ->> 'product' AS plug, k.scopes,
  k.addresses, k.countries,
  k.credits_per_day::float8 AS "creditsPerDay", k.credits_per_month::float8 AS "creditsPerMonth",
  k.messages_per_second AS "messagesPerSecond",
  ${spentToday} AS "spentToday", ${spentThisMonth} AS "spentThisMonth",
  k.expires_at AS "expiresAt", coalesce(k.expires_at <= now(), false) AS "isExpired", k.created_at AS "createdAt",
  used.last_used_at AS "lastUsedAt", used.last_used_address AS "lastUsedAddress",
  (SELECT coalesce(json_agg(json_build_object('ending', o.ending, 'lastUsedAt', o.last_used_at, 'expiresAt',
    o.expires_at)
     ORDER BY o.expires_at DESC), '[]')
   FROM key_secrets o WHERE o.key_id = k.id AND o.expires_at > now()) AS earlier
FROM api_keys k
JOIN key_secrets current ON current.key_id = k.id AND current.expires_at IS NULL
LEFT JOIN LATERAL (
  SELECT last_used_at, last_used_address FROM key_secrets u
  WHERE u.key_id = k.id AND last_used_at IS NOT NULL ORDER BY last_used_at DESC LIMIT 1
) used ON true
WHERE k.account_id = $1 AND NOT k.is_default
ORDER BY k.created_at DESC, k.id`,
} as const;

/** No row without a budget. Parameter: hash of the secret. */
export const findBudget = {
  name: 'named-keys-budget-2',
  text: `
SELECT credits_per_day::float8 AS credits_per_day, credits_per_month::float8 AS credits_per_month,
  ${spentToday} AS spent_today, ${spentThisMonth} AS spent_this_month
FROM api_keys k
WHERE id = (SELECT key_id FROM key_secrets WHERE hash = $1)
  AND (credits_per_day IS NOT NULL OR credits_per_month IS NOT NULL)`,
} as const;

/**
 * Charges a key's budget, if it has one. Parameters: key, credits. No row without a budget;
 * `isOver…` when the budget does not cover the credits.
 */
export const chargeBudget = {
  name: 'named-keys-charge-1',
  text: `
UPDATE api_keys k SET spent_on = ${today},
  spent_that_day = CASE WHEN k.spent_on = ${today} THEN k.spent_that_day ELSE 0 END + $2,
  spent_that_month = CASE WHEN date_trunc('month', k.spent_on) = date_trunc('month', ${today})
    THEN k.spent_that_month ELSE 0 END + $2
WHERE k.id = $1 AND coalesce(k.credits_per_day, k.credits_per_month) IS NOT NULL
RETURNING to_char(k.spent_on, 'YYYY-MM-DD') AS day,
  coalesce(k.spent_that_day > k.credits_per_day, false) AS "isOverDay",
  coalesce(k.spent_that_month > k.credits_per_month, false) AS "isOverMonth"`,
} as const;

/**
 * Parameters: key, credits, the day on which they were charged. Later days and months are
 * unaffected.
 */
const returnToBudget = {
  name: 'named-keys-return-1',
  text: `
UPDATE api_keys k SET
  spent_that_day = spent_that_day - CASE WHEN spent_on = $3::date THEN least($2, spent_that_day) ELSE 0 END,
  spent_that_month = spent_that_month - CASE WHEN date_trunc('month', spent_on) = date_trunc('month', $3::date)
    THEN least($2, spent_that_month) ELSE 0 END
WHERE k.id = $1 AND date_trunc('month', spent_on) = date_trunc('month', $3::date)`,
} as const;

interface ChargedBudget {
  readonly day: string;
  readonly isOverDay: boolean;
  readonly isOverMonth: boolean;
}

const insertSamples = {
  name: 'named-keys-samples-1',
  text: `
INSERT INTO api_keys (id, account_id, mode, name, for_samples, scopes)
VALUES ($1, $2, 'test', '${SAMPLES_NAME}', true, $3) ON CONFLICT (account_id) WHERE for_samples DO NOTHING
RETURNING id`,
} as const;

/** Person who changes a key. */
export interface KeyChanger {
  readonly actor: 'account' | 'operator';
  readonly accountId: string;
  /** The network address of the account's owner. */
  readonly address?: string | undefined;
}

/**
 * API keys with names, next to an account's default key. Each is limited to some calls, and may be
 * bound to networks, countries, budgets, a rate and a time. Their secrets are shown once: only the
 * hashes are stored.
 */
@Injectable()
export class NamedKeys {
  constructor(
    private readonly postgres: Postgres,
    private readonly apiKeys: ApiKeys,
    private readonly keys: ApiKeysRepository,
    private readonly auditLog: AuditLog,
    private readonly notices: Notices,
  ) {}

  /** Returns keys, newest first. */
  async list(accountId: string): Promise<NamedKeyView[]> {
    return (await this.postgres.query<NamedKeyRow>(listNamedKeys, [accountId])).map(viewOf);
  }

  /** Returns the budget of an API key; undefined without a budget. */
  async budgetOf({ hash, named }: ApiKey): Promise<KeyBudget | undefined> {
    return named ? (await this.postgres.query<KeyBudget>(findBudget, [hash]))[0] : undefined;
  }

  /**
   * Charges a key's budget for anything but a message, in the caller's transaction, which has
   * locked the account's balance. Returns the New York day that was charged; null without a budget.
   * Throws `key_budget`.
   */
  async charge(tx: EntityManager, keyId: string, credits: number): Promise<string | null> {
    const [charged] = await this.postgres.run<ChargedBudget>(tx, chargeBudget, [keyId, credits]);
    if (!charged) return null;
    const period = charged.isOverDay ? 'daily' : charged.isOverMonth ? 'monthly' : undefined;
    if (period === undefined) return charged.day;
    const detail = `This would exceed the ${period} budget of this API key. You were not charged.`;
    const wait = period === 'daily' ? secondsUntilNewYorkMidnight : secondsUntilNewYorkMonth;
    throw new DomainError('key_budget', detail, { retryAfterSeconds: wait(new Date()) });
  }

  /**
   * Returns to a key's budget the credits that {@link charge} took on a day, for a purchase that
   * did not happen.
   */
  async uncharge(tx: EntityManager, keyId: string, credits: number, day: string): Promise<void> {
    await this.postgres.run(tx, returnToBudget, [keyId, credits, day]);
  }

  /** Returns every key of an account, including the default key, without secrets. */
  async describeAll(accountId: string): Promise<{ apiKeys: object[]; namedKeys: NamedKeyView[] }> {
    const { apiKey: _secret, earlier, ...current } = await this.apiKeys.list(accountId);
    return { apiKeys: [{ ...current, expiresAt: null }, ...earlier], namedKeys: await this.list(accountId) };
  }

  /** Creates a key and returns its secret. Throws `key_settings_invalid`, `key_limit`. */
  async create(by: KeyChanger, body: CreateKeyBody): Promise<{ id: string; secret: string }> {
    const key = { id: randomUUID(), secret: newSecret(body.mode) };
    await this.insert(by, key, body);
    return key;
  }

  /** Creates the key of a plug and returns its id. Throws `key_limit`. */
  async createPlug(by: KeyChanger, name: string, scopes: KeyScope[], plug: Partial<PlugColumns>): Promise<string> {
    const id = randomUUID();
    const unlimited = { addresses: [], countries: [], creditsPerDay: null, creditsPerMonth: null };
    const body = { ...unlimited, name, scopes, mode: 'live', messagesPerSecond: null, expiresAt: null } as const;
    await this.insert(by, { id, secret: this.plugSecret(id) }, body, plug);
    return id;
  }

  /** The key with which a plug sends, and its last characters. Its secret is derived from its id, and never shown. */
  plugKey(id: string): { readonly key: ApiKey; readonly ending: string } {
    const secret = this.plugSecret(id);
    return { key: this.apiKeys.parse(secret), ending: ending(secret) };
  }

  /** Records that the secret of a plug was replaced, and tells the owner. */
  async plugRotated(tx: EntityManager, by: KeyChanger, { id, name, plug }: ApiKeyEntity): Promise<void> {
    await this.record(tx, by, 'key.rotated', { keyId: id, plug: plug?.product });
    await this.notices.send(tx, by.accountId, { ...notice('rotated', name ?? ''), isPlug: true });
  }

  private async insert(
    by: KeyChanger,
    { id, secret }: { readonly id: string; readonly secret: string },
    { mode, ...body }: CreateKeyBody,
    plug: Partial<PlugColumns> = {},
  ): Promise<void> {
    const settings = settingsOf(body);
    await this.postgres.change(async (tx) => {
      await tx.query('SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [by.accountId]);
      const named = { accountId: by.accountId, isDefault: false, forSamples: false };
      if ((await tx.countBy(ApiKeyEntity, named)) >= limits.namedKeysMax)
        throw new DomainError('key_limit', `An account has at most ${limits.namedKeysMax} keys. Revoke one first.`);
      await tx.insert(
        ApiKeyEntity,
        tx.create(ApiKeyEntity, { id, accountId: by.accountId, mode, ...settings, ...plug }),
      );
      await this.keys.insertSecret(tx, by.accountId, id, this.unreadable(secret));
      await this.record(tx, by, 'key.created', { keyId: id, mode, ...auditedOf(body) });
      await this.notices.send(tx, by.accountId, {
        ...notice('created', body.name),
        ...(plug.plug && { isPlug: true }),
      });
    });
  }

  /** Changes name and limits. Throws `key_settings_invalid`, `key_not_found`. */
  async change(by: KeyChanger, id: string, body: NamedKeyBody): Promise<void> {
    const settings = settingsOf(body);
    await this.postgres.change(async (tx) => {
      const key = { accountId: by.accountId, id, isDefault: false, forSamples: false };
      const before = await tx.findOneBy(ApiKeyEntity, key);
      // The product decides which calls its plug makes.
      if (before?.plug) settings.scopes = before.scopes;
      if (!before || (await tx.update(ApiKeyEntity, key, settings)).affected === 0) throw notFound();
      const entry = { ...by, action: 'key.changed', details: { keyId: id, ...auditedOf(body) } } as const;
      await this.auditLog.recordChange(tx, entry, { ...before }, { ...before, ...settings });
    });
  }

  /**
   * Replaces the secret and returns the new secret; limits and spending stay. The old secret works
   * for `keepOldForHours`, for the same budget; an earlier end of an older secret stays. Throws
   * `key_not_found`, `too_many_keys`.
   */
  async rotate(tx: EntityManager, by: KeyChanger, id: string, keepOldForHours: number): Promise<string> {
    const { mode, name } = await this.lock(tx, by, id);
    const secret = newSecret(mode);
    await this.keys.replaceSecret(tx, by.accountId, { keyId: id, keepOldForHours }, this.unreadable(secret));
    await this.record(tx, by, 'key.rotated', { keyId: id, keepOldForHours });
    await this.notices.send(tx, by.accountId, notice('rotated', name ?? ''));
    return secret;
  }

  /**
   * Ends the replaced secrets of a key at once; its current secret stays. Throws `key_not_found`.
   */
  async endOldSecrets(by: KeyChanger, id: string): Promise<void> {
    await this.postgres.change(async (tx) => {
      await this.lock(tx, by, id);
      const ended = await this.keys.endOldSecrets(tx, id);
      if (ended > 0) await this.record(tx, by, 'key.old_secrets_ended', { keyId: id });
    });
  }

  /** Ends a key at once, with its replaced secrets. Throws `key_not_found`. */
  async revoke(tx: EntityManager, by: KeyChanger, id: string): Promise<void> {
    const remove = 'DELETE FROM api_keys WHERE account_id = $1 AND id::text = $2 AND NOT is_default';
    const [, removed] = await tx.query<[unknown[], number]>(remove, [by.accountId, id]);
    if (removed === 0) throw notFound();
    await this.record(tx, by, 'key.revoked', { keyId: id });
  }

  /**
   * Returns the test key for the samples in the documentation, which is created on first use. Its
   * secret is derived from its id, so that it can be shown again.
   */
  async samplesKey(accountId: string): Promise<string> {
    const find = async () => (await this.list(accountId)).find(({ forSamples }) => forSamples);
    const existing = await find();
    if (existing) return this.samplesSecretOf(accountId, existing);
    const id = randomUUID();
    const secret = this.samplesSecret(id);
    await this.postgres.change(async (tx) => {
      const created = await this.postgres.run<object>(tx, insertSamples, [id, accountId, [...keyScopes]]);
      if (created.length > 0) await this.keys.insertSecret(tx, accountId, id, this.unreadable(secret));
    });
    return this.samplesSecret((await find())?.id ?? id);
  }

  /** Returns the secret of a key of samples, and gives it to a key that the release before has made. */
  private async samplesSecretOf(accountId: string, { id, masked }: NamedKeyView): Promise<string> {
    const secret = this.samplesSecret(id);
    if (masked.endsWith(ending(secret))) return secret;
    const made = this.unreadable(secret);
    await this.postgres.change(async (tx) => {
      await tx.query('SELECT 1 FROM api_keys WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE', [accountId, id]);
      const known = await tx.query<object[]>('SELECT 1 FROM key_secrets WHERE hash = $1', [made.hash]);
      if (known.length === 0) await this.keys.replaceSecret(tx, accountId, { keyId: id, keepOldForHours: 1 }, made);
    });
    return secret;
  }

  private samplesSecret(id: string): string {
    return keyPrefixes.test + this.apiKeys.derive('samples', id).toString('hex', 0, SECRET_BYTES);
  }

  private plugSecret(id: string): string {
    return keyPrefixes.live + this.apiKeys.derive('plug', id).toString('hex', 0, SECRET_BYTES);
  }

  /** Only the hash of a secret is stored: the secret is shown once. */
  private unreadable(secret: string): NewSecret {
    return { hash: this.hash(secret), ending: ending(secret) };
  }

  private hash(text: string): Buffer {
    return this.apiKeys.parse(text).hash;
  }

  private async lock(tx: EntityManager, { accountId }: KeyChanger, id: string): Promise<LockedKey> {
    const key = await this.keys.lockNamed(tx, accountId, id);
    if (!key) throw notFound();
    return key;
  }

  private async record(tx: EntityManager, by: KeyChanger, action: AuditAction, details: object): Promise<void> {
    await this.auditLog.record(tx, { ...by, action, details: { ...details } });
  }
}

function newSecret(mode: 'live' | 'test'): string {
  return keyPrefixes[mode] + randomBytes(SECRET_BYTES).toString('hex');
}

function notice(change: 'created' | 'rotated', name: string) {
  return { kind: 'key_changed', change, name, at: new Date().toISOString() } as const;
}

/** Audit entries are kept forever, so names and addresses stay out of them. */
function auditedOf({ name: _name, addresses: _addresses, ...limited }: NamedKeyBody): object {
  return limited;
}

function notFound(): DomainError {
  return new DomainError('key_not_found', 'Your account has no key with this id.');
}

type KeySettings = Omit<
  ApiKeyEntity,
  'id' | 'accountId' | 'isDefault' | 'mode' | 'forSamples' | 'createdAt' | keyof PlugColumns
>;

/** Throws `key_settings_invalid`. */
function settingsOf(body: NamedKeyBody): KeySettings {
  const { name, scopes, addresses, countries, creditsPerDay, creditsPerMonth, messagesPerSecond, expiresAt } = body;
  const networks = addresses.map((text) => {
    const network = allowedNetworkOf(text.trim());
    if (network === undefined) throw invalid(`"${text}" is neither a network address nor a CIDR range.`);
    return network;
  });
  const unknown = countries.find((code) => !regions.some(({ iso2 }) => iso2 === code));
  if (unknown !== undefined) throw invalid(`"${unknown}" is not the two-letter code of a supported country.`);
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) throw invalid('The expiry must be in the future.');
  const list = <T>(values: readonly T[]) => (values.length > 0 ? [...new Set(values)] : null);
  return {
    name,
    scopes: list(scopes),
    addresses: list(networks),
    countries: list(countries),
    creditsPerDay,
    creditsPerMonth,
    messagesPerSecond,
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
  };
}

function invalid(detail: string): DomainError {
  return new DomainError('key_settings_invalid', detail);
}

function viewOf({
  ending: end,
  expiresAt,
  createdAt,
  lastUsedAt,
  addresses,
  countries,
  earlier,
  ...key
}: NamedKeyRow): NamedKeyView {
  const masked = (last: string) => `${keyPrefixes[key.mode]}••••${last}`;
  return {
    ...key,
    masked: masked(end),
    earlier: earlier.map((one) => ({
      masked: masked(one.ending),
      lastUsedAt: one.lastUsedAt === null ? null : new Date(one.lastUsedAt).toISOString(),
      expiresAt: new Date(one.expiresAt).toISOString(),
    })),
    addresses: addresses ?? [],
    countries: countries ?? [],
    expiresAt: expiresAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
