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
import { SavedFilterEntity } from './saved-filter.entity.js';

/**
 * Holds other changes of the account's filters until the transaction ends, so that limits are
 * exact.
 */
const holdAccount = 'SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE';
const remove = 'DELETE FROM saved_filters WHERE account_id = $1 AND id = $2 RETURNING view';

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
    return { view, filters: await this.postgres.call((manager) => filtersOf(manager, accountId, view)) };
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
      assertNew(await filtersOf(tx, accountId, view));
      await tx.insert(SavedFilterEntity, { accountId, id: randomUUID(), view, name, query });
      return view;
    });
  }

  /** Returns the filters of its view. Throws `filter_not_found` and `filter_name_taken`. */
  async update(accountId: string, id: string, given: ChangeFilterBody): Promise<SavedFiltersAnswer> {
    return this.change(accountId, async (tx) => {
      const filter = await tx.findOneBy(SavedFilterEntity, { accountId, id });
      if (!filter) throw filterNotFound();
      const { name = filter.name, query = filter.query } = given;
      assertFree(
        name,
        (await filtersOf(tx, accountId, filter.view)).filter((other) => other.id !== id),
      );
      await tx.update(SavedFilterEntity, { accountId, id }, { name, query });
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
    const select = { view: true, name: true, query: true, createdAt: true };
    yield await this.postgres.call((manager) =>
      manager.find(SavedFilterEntity, { select, where: { accountId }, order: { view: 'ASC', name: 'ASC' } }),
    );
  }

  async erase(accountId: string): Promise<void> {
    await this.postgres.call((manager) => manager.delete(SavedFilterEntity, { accountId }));
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

function filtersOf(manager: EntityManager, accountId: string, view: FilteredView): Promise<SavedFilter[]> {
  const select = { id: true, name: true, query: true };
  return manager.find(SavedFilterEntity, { select, where: { accountId, view }, order: { name: 'ASC' } });
}

function assertFree(name: string, others: readonly SavedFilter[]): void {
  if (others.some((other) => other.name === name))
    throw new DomainError('filter_name_taken', 'Choose another name, or replace that filter.');
}

function filterNotFound(): DomainError {
  return new DomainError('filter_not_found', 'It may have been deleted in another tab.');
}
