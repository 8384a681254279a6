import { createHash, sign } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { LedgerKind } from '#contract/histories.js';
import { entryText, fingerprintDigits, noSeal, sealText, type ExportedEntry } from '#contract/ledger-proof.js';
import { Postgres } from '../platform/database/postgres.js';
import { PerGroup } from '../platform/database/per-group.js';
import { Logger } from '../platform/telemetry/logger.js';
import { Metrics } from '../platform/telemetry/metrics.js';
import { publicSourceOf } from './ledger-history.js';
import { LedgerKeys, type SigningKey } from './ledger-keys.js';
import { Every } from '../platform/schedules/every.js';

/** Entries are sealed within a minute. */
const SEALED_EVERY_MS = 20_000;

/**
 * Accounts that one run seals; further accounts wait for the next run, which follows without a
 * pause.
 */
const ACCOUNTS_MAX = 2_000;
/** Accounts, and entries of each, that are read together. */
const CHUNK_ACCOUNTS = 20;
const SEAL_ENTRIES_MAX = 1_000;
/** A transaction's rows carry the time at which it began, and it may end this much later. */
const OVERLAP_MS = 5 * 60_000;

/**
 * Accounts that changed since an instant and have entries without a seal, with their newest seal.
 */
export const behindStatement = {
  text: `
SELECT c.account_id AS "accountId", coalesce(s.number, 0)::float8 AS number, coalesce(s.last, 0)::float8 AS last,
  coalesce(encode(s.hash, 'hex'), '${noSeal}') AS hash
FROM credit_accounts c
LEFT JOIN LATERAL (
  SELECT number, last, hash FROM ledger_seals WHERE account_id = c.account_id ORDER BY number DESC LIMIT 1
) s ON true
WHERE c.updated_at >= $1 AND c.ledger_count > coalesce(s.last, 0)
LIMIT ${ACCOUNTS_MAX}`,
} as const;

/** The next entries of accounts after the numbers given, in order. */
export const nextEntriesStatement = {
  text: `
SELECT e.* FROM unnest($1::uuid[], $2::bigint[]) AS a (account_id, last)
CROSS JOIN LATERAL (
  SELECT account_id AS "accountId", number::float8 AS number, created_at AS "createdAt", kind, amount::float8 AS amount,
    balance_after::float8 AS "balanceAfter", source_id AS "sourceId", note
  FROM ledger_entries WHERE account_id = a.account_id AND number > a.last ORDER BY number LIMIT $3
) e
ORDER BY e."accountId", e.number`,
} as const;

const sealStatement = `
INSERT INTO ledger_seals
  (account_id, number, first, last, entries_hash, fingerprints, previous, hash, sealed_at, key_id, signature)
SELECT s.account_id, s.number, s.first, s.last, decode(s.entries, 'hex'), decode(s.fingerprints, 'hex'),
  decode(s.previous, 'hex'), decode(s.hash, 'hex'), s.sealed_at, s.key, s.signature
FROM unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[], $8::text[],
  $9::timestamptz[], $10::text[], $11::bytea[])
  AS s (account_id, number, first, last, entries, fingerprints, previous, hash, sealed_at, key, signature)`;

interface Behind {
  readonly accountId: string;
  /** Number and last entry of the newest seal, 0 without a seal. */
  readonly number: number;
  readonly last: number;
  readonly hash: string;
}

export interface StoredEntry {
  readonly accountId: string;
  readonly number: number;
  readonly createdAt: Date;
  readonly kind: LedgerKind;
  readonly amount: number;
  readonly balanceAfter: number;
  readonly sourceId: string;
  readonly note: string | null;
}

/**
 * Seals the ledgers of accounts: each seal covers the entries that follow the previous seal, and
 * signs the previous seal's hash too. Entries are sealed after their commit, in separate
 * transactions.
 */
@Injectable()
export class LedgerSeals {
  private readonly since = new PerGroup(() => new Date(0));

  constructor(
    private readonly postgres: Postgres,
    private readonly keys: LedgerKeys,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  /** Seals entries without a seal. Returns true when more entries wait. */
  @Every({ name: 'ledger seals', everyMs: SEALED_EVERY_MS, whileMore: true })
  async run(): Promise<boolean> {
    const round = await this.postgres.asLeader('ledger seals', (tx, now) => this.round(tx, now));
    if (!round) return false;
    this.metrics.ledgerSealLag.set(round.lagMs / 1_000);
    if (!round.more) this.since.set(new Date(round.now.getTime() - OVERLAP_MS));
    return round.more;
  }

  private async round(tx: EntityManager, now: Date): Promise<{ now: Date; more: boolean; lagMs: number }> {
    const behind = await tx.query<Behind[]>(behindStatement.text, [this.since.get()]);
    if (behind.length === 0) return { now, more: false, lagMs: 0 };
    const key = await this.keys.current(tx);
    // The clock is read again: the key may have been made for this run, and signs from then on.
    const [clock] = await tx.query<{ now: Date }[]>('SELECT clock_timestamp() AS now');
    const sealedAt = clock?.now ?? now;
    let [more, lagMs] = [behind.length === ACCOUNTS_MAX, 0];
    for (let at = 0; at < behind.length; at += CHUNK_ACCOUNTS) {
      const chunk = behind.slice(at, at + CHUNK_ACCOUNTS);
      const entries = await this.entriesAfter(tx, chunk);
      const seals = chunk.flatMap((account) => {
        const next = this.contiguous(
          account,
          entries.filter(({ accountId }) => accountId === account.accountId),
        );
        more ||= next.length === SEAL_ENTRIES_MAX;
        if (!next[0]) return [];
        lagMs = Math.max(lagMs, now.getTime() - next[0].createdAt.getTime());
        return [sealOf(account, next, sealedAt, key)];
      });
      await insert(tx, seals);
    }
    return { now, more, lagMs };
  }

  private async entriesAfter(tx: EntityManager, accounts: readonly Behind[]): Promise<StoredEntry[]> {
    const ids = accounts.map(({ accountId }) => accountId);
    const last = accounts.map((account) => account.last);
    return tx.query<StoredEntry[]>(nextEntriesStatement.text, [ids, last, SEAL_ENTRIES_MAX]);
  }

  /** Returns the entries up to the first missing entry: a gap is never sealed. */
  private contiguous({ accountId, last }: Behind, entries: readonly StoredEntry[]): readonly StoredEntry[] {
    const gap = entries.findIndex(({ number }, index) => number !== last + 1 + index);
    if (gap < 0) return entries;
    this.logger.error({ accountId, entry: last + 1 + gap }, 'ledger entry is missing, later ones are not sealed');
    return entries.slice(0, gap);
  }
}

/** Converts an entry to its exported and sealed form. Times have milliseconds. */
export function exportedEntryOf(entry: StoredEntry): ExportedEntry {
  const { number, createdAt, kind, amount, balanceAfter, sourceId, note } = entry;
  const source = publicSourceOf(kind, sourceId);
  return { number, at: createdAt.toISOString(), kind, amount, balance_after: balanceAfter, source, note };
}

type NewSeal = ReturnType<typeof sealOf>;

function sealOf(account: Behind, entries: readonly StoredEntry[], at: Date, { id, privateKey }: SigningKey) {
  const { accountId, last } = account;
  const hashes = entries.map((entry) => sha256(entryText(exportedEntryOf(entry))));
  const seal = {
    number: account.number + 1,
    first: last + 1,
    last: last + entries.length,
    entries: sha256(hashes.join('')),
    previous: account.hash,
    sealed_at: at.toISOString(),
    key: id,
  };
  const text = sealText(accountId, seal);
  return {
    ...seal,
    accountId,
    hash: sha256(text),
    fingerprints: hashes.map((hash) => hash.slice(0, fingerprintDigits)).join(''),
    signature: sign(null, Buffer.from(text), privateKey),
  };
}

async function insert(tx: EntityManager, seals: readonly NewSeal[]): Promise<void> {
  if (seals.length === 0) return;
  const columns = [
    'accountId',
    'number',
    'first',
    'last',
    'entries',
    'fingerprints',
    'previous',
    'hash',
    'sealed_at',
    'key',
    'signature',
  ] as const;
  await tx.query(
    sealStatement,
    columns.map((column) => seals.map((seal) => seal[column])),
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
