import { Injectable } from '@nestjs/common';
import type { LedgerAnswer, LedgerFilter, LedgerQuery, LedgerRow } from '#contract/histories.js';
import type { CsvCell } from '../../rules/csv.js';
import { publicMessageId } from '../../rules/ids.js';
import { newYorkTimestamp } from '../../rules/new-york-time.js';
import type { LedgerKind } from '../ledger-entry.js';
import { LedgerHistoryRepository, type LedgerEntry } from './ledger-history.repository.js';

const csvHead = ['Date (New York)', 'Time (UTC)', 'Kind', 'Amount', 'Balance After', 'Source', 'Note'];
/** Their source is a message. */
const messageKinds: readonly LedgerKind[] = ['message', 'otp', 'refund', 'inbound'];

/** What moved an account's credits, newest first. */
@Injectable()
export class LedgerHistory {
  constructor(private readonly ledger: LedgerHistoryRepository) {}

  async page(accountId: string, { page, ...filter }: LedgerQuery): Promise<LedgerAnswer> {
    const found = await this.ledger.history.page(accountId, page, filter, this.ledger.conditionsOf(filter));
    return { ...found, rows: found.rows.map(ledgerRowOf) };
  }

  /** The charge of a message, and its refund if there is one. */
  async ofMessage(accountId: string, messageId: string): Promise<LedgerRow[]> {
    return (await this.ledger.ofSource(accountId, messageKinds, messageId)).map(ledgerRowOf);
  }

  /** The whole ledger as a CSV file, read as it is asked for. */
  async csv(accountId: string, filter: LedgerFilter): Promise<AsyncGenerator<string>> {
    const conditions = this.ledger.conditionsOf(filter);
    return this.ledger.history.csv(accountId, filter, conditions, { head: csvHead, cellsOf });
  }
}

function ledgerRowOf({ createdAt, kind, amount, balanceAfter, sourceId, note }: LedgerEntry): LedgerRow {
  const source = messageKinds.includes(kind) ? publicMessageId(sourceId) : sourceId;
  return { date: newYorkTimestamp(createdAt), kind, amount, balanceAfter, source, note };
}

function cellsOf(entry: LedgerEntry): CsvCell[] {
  const { date, kind, amount, balanceAfter, source, note } = ledgerRowOf(entry);
  return [date, entry.createdAt.toISOString(), kind, amount, balanceAfter, source, note];
}
