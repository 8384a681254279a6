import { Injectable } from '@nestjs/common';
import type { LedgerFilter } from '#contract/histories.js';
import { History } from '../../platform/database/history.js';
import { NumberedRows, type Condition, type Numbered } from '../../platform/database/numbered-rows.js';
import { Postgres } from '../../platform/database/postgres.js';
import type { LedgerKind } from '../ledger-entry.js';

export interface LedgerEntry extends Numbered {
  readonly kind: LedgerKind;
  readonly amount: number;
  readonly balanceAfter: number;
  readonly sourceId: string;
  readonly note: string | null;
}

const columns =
  'kind, amount::float8 AS amount, balance_after::float8 AS "balanceAfter", source_id AS "sourceId", note';

const ofSource = {
  name: 'ledger-of-source-1',
  text: `SELECT number::float8 AS number, created_at AS "createdAt", ${columns} FROM ledger_entries
    WHERE kind = ANY($2::text[]) AND source_id = $3 AND account_id = $1 ORDER BY number`,
};

/** Ledger entries as the dashboard reads them. */
@Injectable()
export class LedgerHistoryRepository {
  readonly history: History<LedgerEntry>;

  constructor(private readonly postgres: Postgres) {
    this.history = new History(new NumberedRows<LedgerEntry>(postgres, { table: 'ledger_entries', columns }));
  }

  /** The index has all kinds but that of most entries, and is used only where Postgres can see that. */
  conditionsOf({ kind }: LedgerFilter): Condition[] {
    if (kind === undefined) return [];
    if (kind === 'message') return [{ sql: (value) => `kind = ${value}`, value: kind, index: 'none' }];
    return [{ sql: (value) => `kind <> 'message' AND kind = ${value}`, value: kind, index: 'numbers' }];
  }

  /** Of those kinds, oldest first. */
  async ofSource(accountId: string, kinds: readonly LedgerKind[], sourceId: string): Promise<LedgerEntry[]> {
    return this.postgres.query<LedgerEntry>(ofSource, [accountId, kinds, sourceId]);
  }
}
