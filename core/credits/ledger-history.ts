import { Injectable } from '@nestjs/common';
import type { LedgerAnswer, LedgerFilter, LedgerKind, LedgerQuery, LedgerRow } from '#contract/histories.js';
import { type CsvCell, History } from '../platform/database/history.js';
import { NumberedRows, type Condition, type Numbered } from '../platform/database/numbered-rows.js';
import { Postgres } from '../platform/database/postgres.js';
import { publicMessageId } from '../rules/ids.js';
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

const csvHead = ['Date (New York)', 'Time (UTC)', 'Kind', 'Amount', 'Balance After', 'Source', 'Note'];
/** Kinds whose source is a message. */
const messageKinds: readonly LedgerKind[] = ['message', 'otp', 'refund', 'inbound'];

/** An account's ledger entries, newest first. */
@Injectable()
export class LedgerHistory {
  private readonly history: History<LedgerEntry>;

  constructor(private readonly postgres: Postgres) {
    this.history = new History(new NumberedRows<LedgerEntry>(postgres, { table: 'ledger_entries', columns }));
  }

  async page(accountId: string, { page, ...filter }: LedgerQuery): Promise<LedgerAnswer> {
    const found = await this.history.page(accountId, page, filter, conditionsOf(filter));
    return { ...found, rows: found.rows.map(ledgerRowOf) };
  }

  /** The charge of a message, and its refund if there is one. */
  async ofMessage(accountId: string, messageId: string): Promise<LedgerRow[]> {
    const values = [accountId, messageKinds, messageId];
    return (await this.postgres.query<LedgerEntry>(entriesOfSourceStatement, values)).map(ledgerRowOf);
  }

  /** The whole ledger for the account's export, in batches that are read as they are asked for. */
  async *all(accountId: string): AsyncGenerator<object[]> {
    for await (const entries of this.history.all(accountId)) yield entries.map(exportedOf);
  }

  /** The whole ledger as a CSV file, streamed. */
  async csv(accountId: string, filter: LedgerFilter): Promise<AsyncGenerator<string>> {
    return this.history.csv(accountId, filter, conditionsOf(filter), { head: csvHead, cellsOf });
  }
}

/** The index covers all kinds but `message`, and Postgres uses it only where it can see that. */
function conditionsOf({ kind }: LedgerFilter): Condition[] {
  if (kind === undefined) return [];
  if (kind === 'message') return [{ sql: (value) => `kind = ${value}`, value: kind, index: 'none' }];
  return [{ sql: (value) => `kind <> 'message' AND kind = ${value}`, value: kind, index: 'numbers' }];
}

function ledgerRowOf({ createdAt, kind, amount, balanceAfter, sourceId, note }: LedgerEntry): LedgerRow {
  return {
    date: newYorkTimestamp(createdAt),
    kind,
    amount,
    balanceAfter,
    source: publicSourceOf(kind, sourceId),
    note,
  };
}

/** What an entry's customer knows its source by: the public id of a message, a checkout session, …. */
export function publicSourceOf(kind: LedgerKind, sourceId: string): string {
  return messageKinds.includes(kind) ? publicMessageId(sourceId) : sourceId;
}

function exportedOf(entry: LedgerEntry): object {
  const { date: _date, ...row } = ledgerRowOf(entry);
  return { number: entry.number, ...row, at: entry.createdAt.toISOString() };
}

function cellsOf(entry: LedgerEntry): CsvCell[] {
  const { date, kind, amount, balanceAfter, source, note } = ledgerRowOf(entry);
  return [date, entry.createdAt.toISOString(), kind, amount, balanceAfter, source, note];
}
