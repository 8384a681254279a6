import { Injectable } from '@nestjs/common';
import type { LedgerAnswer, LedgerFilter, LedgerKind, LedgerQuery, LedgerRow } from '#contract/histories.js';
import type { MessageRecord } from '#contract/message-record.js';
import { type CsvCell, History } from '../platform/database/history.js';
import { NumberedRows, type Condition, type Numbered } from '../platform/database/numbered-rows.js';
import { Postgres } from '../platform/database/postgres.js';
import { publicMessageId, publicNumberId } from '../rules/ids.js';
import { newYorkTimestamp } from '../rules/time.js';

export interface LedgerEntry extends Numbered {
  readonly kind: LedgerKind;
  readonly amount: number;
  readonly balanceAfter: number;
  readonly sourceId: string;
  readonly note: string | null;
}

const columns =
  'kind, amount::float8 AS amount, balance_after::float8 AS "balanceAfter", source_id AS "sourceId", note';

export const entriesOfSourceStatement = {
  name: 'ledger-of-source-1',
  text: `SELECT number::float8 AS number, created_at AS "createdAt", ${columns} FROM ledger_entries
    WHERE kind = ANY($2::text[]) AND source_id = $3 AND account_id = $1 ORDER BY number`,
} as const;

/** Entries of a message, each with the seal that covers it. */
export const recordedEntriesStatement = {
  name: 'ledger-record-1',
  text: `
SELECT e.number::float8 AS number, e.created_at AS "createdAt", e.kind, e.amount::float8 AS amount,
  e.balance_after::float8 AS "balanceAfter", e.note, s.number::float8 AS seal, s.first::float8 AS first,
    s.last::float8 AS last,
  s.sealed_at AS "sealedAt", s.key_id AS key, encode(s.hash, 'hex') AS hash
FROM ledger_entries e
LEFT JOIN LATERAL (
  SELECT number, first, last, sealed_at, key_id, hash FROM ledger_seals
  WHERE account_id = e.account_id AND last >= e.number ORDER BY last LIMIT 1
) s ON s.first <= e.number
WHERE e.kind = ANY($2::text[]) AND e.source_id = $3 AND e.account_id = $1 ORDER BY e.number`,
} as const;

export interface RecordedEntry extends Omit<LedgerEntry, 'sourceId'> {
  readonly seal: number | null;
  readonly first: number | null;
  readonly last: number | null;
  readonly sealedAt: Date | null;
  readonly key: string | null;
  readonly hash: string | null;
}

const csvHead = ['Date (New York)', 'Time (UTC)', 'Kind', 'Amount', 'Balance After', 'Source', 'Note'];
/** Kinds whose source is a message. */
const messageKinds: readonly LedgerKind[] = ['message', 'otp', 'refund', 'inbound'];
/** Kinds whose source is a number, and the month of its rent. */
const numberKinds: readonly LedgerKind[] = ['number_rent', 'number_setup'];

/** An account's ledger entries, newest first. */
@Injectable()
export class LedgerHistory {
  private readonly history: History<LedgerEntry>;

  constructor(private readonly postgres: Postgres) {
    this.history = new History(new NumberedRows<LedgerEntry>(postgres, { table: 'ledger_entries', columns }));
  }

  async page(accountId: string, query: LedgerQuery): Promise<LedgerAnswer> {
    const found = await this.history.page(accountId, query, query, conditionsOf(query));
    return { ...found, rows: found.rows.map(ledgerRowOf) };
  }

  /** Returns the charge of a message, and its refund if there is one. */
  async ofMessage(accountId: string, messageId: string): Promise<LedgerRow[]> {
    const values = [accountId, messageKinds, messageId];
    return (await this.postgres.query<LedgerEntry>(entriesOfSourceStatement, values)).map(ledgerRowOf);
  }

  /** Returns the same entries with the seals that cover them. */
  async recordOf(accountId: string, messageId: string): Promise<MessageRecord['ledger']> {
    const values = [accountId, messageKinds, messageId];
    return (await this.postgres.query<RecordedEntry>(recordedEntriesStatement, values)).map(recordedEntryOf);
  }

  /** Yields the whole ledger for the account's export, in batches that are read on demand. */
  async *all(accountId: string): AsyncGenerator<object[]> {
    for await (const entries of this.history.all(accountId)) yield entries.map(exportedOf);
  }

  /** The whole ledger as a CSV file, streamed. */
  async csv(accountId: string, filter: LedgerFilter): Promise<AsyncGenerator<string>> {
    return this.history.csv(accountId, filter, conditionsOf(filter), { head: csvHead, cellsOf });
  }
}

/**
 * The index covers all kinds but `message`, and Postgres uses it only if the condition shows that.
 */
function conditionsOf({ kind }: LedgerFilter): Condition[] {
  if (kind === undefined) return [];
  if (kind === 'message') return [{ sql: (value) => `kind = ${value}`, value: kind, index: 'none' }];
  return [{ sql: (value) => `kind <> 'message' AND kind = ${value}`, value: kind, index: 'numbers' }];
}

function ledgerRowOf({ createdAt, kind, amount, balanceAfter, sourceId, note }: LedgerEntry): LedgerRow {
  return {
    date: newYorkTimestamp(createdAt),
    at: createdAt.toISOString(),
    kind,
    amount,
    balanceAfter,
    source: publicSourceOf(kind, sourceId),
    note,
  };
}

/**
 * Public id of an entry's source, by which the customer knows it: a message, a number, a checkout
 * session, ….
 */
export function publicSourceOf(kind: LedgerKind, sourceId: string): string {
  if (messageKinds.includes(kind)) return publicMessageId(sourceId);
  return numberKinds.includes(kind) ? publicNumberId(sourceId.replace(/:.*$/, '')) : sourceId;
}

function recordedEntryOf(entry: RecordedEntry): MessageRecord['ledger'][number] {
  const { number, createdAt, kind, amount, balanceAfter, note, seal, first, last, sealedAt, key, hash } = entry;
  const isSealed = seal !== null && first !== null && last !== null && sealedAt && key !== null && hash !== null;
  return {
    number,
    at: createdAt.toISOString(),
    kind,
    amount,
    balance_after: balanceAfter,
    note,
    seal: isSealed ? { number: seal, first, last, sealed_at: sealedAt.toISOString(), key, hash } : null,
  };
}

function exportedOf(entry: LedgerEntry): object {
  const { date: _date, ...row } = ledgerRowOf(entry);
  return { number: entry.number, ...row };
}

function cellsOf(entry: LedgerEntry): CsvCell[] {
  const { date, at, kind, amount, balanceAfter, source, note } = ledgerRowOf(entry);
  return [date, at, kind, amount, balanceAfter, source, note];
}
