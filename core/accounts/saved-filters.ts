import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type {
  ChangeFilterBody,
  FilteredView,
  SavedFilter,
  SavedFiltersAnswer,
  SaveFilterBody,
} from '#contract/dashboard.js';
import { limits } from '#contract/limits.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { AccountErasure, type FeatureErasure } from './account-erasure.js';

/** Parameters: account, view. */
export const savedFiltersStatement = {
  name: 'saved-filters-1',
  text: 'SELECT id, name, query FROM saved_filters WHERE account_id = $1 AND view = $2 ORDER BY name, id',
} as const;

/**
 * Holds other changes of the account's filters until the transaction ends, so that limits are
 * exact.
 */
const holdAccount = 'SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE';
const insert = 'INSERT INTO saved_filters (account_id, id, view, name, query) VALUES ($1, $2, $3, $4, $5)';
const update = 'UPDATE saved_filters SET name = $3, query = $4 WHERE account_id = $1 AND id = $2';
const remove = 'DELETE FROM saved_filters WHERE account_id = $1 AND id = $2 RETURNING view';
const find = 'SELECT view, name, query FROM saved_filters WHERE account_id = $1 AND id = $2';
const exported = `SELECT view, name, query, created_at AS "createdAt" FROM saved_filters
  WHERE account_id = $1 ORDER BY view, name`;

/** Filters that an account has saved by name, for each view of the dashboard. */
@Injectable()
export class SavedFilters implements FeatureErasure {
  constructor(
    accountErasure: AccountErasure,
    private readonly postgres: Postgres,
  ) {
    accountErasure.register(this);
  }

  async list(accountId: string, view: FilteredView): Promise<SavedFiltersAnswer> {
    return { view, filters: await this.postgres.query<SavedFilter>(savedFiltersStatement, [accountId, view]) };
  }

  /** Returns the filters of the view. Throws `filter_limit` and `filter_name_taken`. */
  async save(accountId: string, { view, name, query }: SaveFilterBody): Promise<SavedFiltersAnswer> {
    const assertNew = (others: readonly SavedFilter[]) => {
      if (others.length >= limits.savedFiltersMax)
        throw new DomainError('filter_limit', `There are at most ${limits.savedFiltersMax} in a view.`);
      assertFree(name, others);
    };
    // Most refusals need no lock.
    assertNew((await this.list(accountId, view)).filters);
    return this.change(accountId, async (tx) => {
      assertNew(await othersIn(tx, accountId, view));
      await tx.query(insert, [accountId, randomUUID(), view, name, query]);
      return view;
    });
  }

  /** Returns the filters of its view. Throws `filter_not_found` and `filter_name_taken`. */
  async update(accountId: string, id: string, given: ChangeFilterBody): Promise<SavedFiltersAnswer> {
    return this.change(accountId, async (tx) => {
      const [filter] = await tx.query<SaveFilterBody[]>(find, [accountId, id]);
      if (!filter) throw filterNotFound();
      const { name = filter.name, query = filter.query } = given;
      assertFree(
        name,
        (await othersIn(tx, accountId, filter.view)).filter((other) => other.id !== id),
      );
      await tx.query(update, [accountId, id, name, query]);
      return filter.view;
    });
  }

  /** Returns the remaining filters of its view. Throws `filter_not_found`. */
  async remove(accountId: string, id: string): Promise<SavedFiltersAnswer> {
    const [removed] = await this.postgres.query<{ view: FilteredView }>({ text: remove }, [accountId, id]);
    if (!removed) throw filterNotFound();
    return this.list(accountId, removed.view);
  }

  /** All filters for the account's export; their number is bounded. */
  async *all(accountId: string): AsyncGenerator<object[]> {
    yield await this.postgres.query({ text: exported }, [accountId]);
  }

  async erase(accountId: string): Promise<void> {
    await this.postgres.query({ text: 'DELETE FROM saved_filters WHERE account_id = $1' }, [accountId]);
  }

  private async change(
    accountId: string,
    work: (tx: EntityManager) => Promise<FilteredView>,
  ): Promise<SavedFiltersAnswer> {
    const view = await this.postgres.change(async (tx) => {
      await tx.query(holdAccount, [accountId]);
      return work(tx);
    });
    return this.list(accountId, view);
  }
}

function othersIn(tx: EntityManager, accountId: string, view: FilteredView): Promise<SavedFilter[]> {
  return tx.query<SavedFilter[]>(savedFiltersStatement.text, [accountId, view]);
}

function assertFree(name: string, others: readonly SavedFilter[]): void {
  if (others.some((other) => other.name === name))
    throw new DomainError('filter_name_taken', 'Choose another name, or replace that filter.');
}

function filterNotFound(): DomainError {
  return new DomainError('filter_not_found', 'It may have been deleted in another tab.');
}
