import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  ParseUUIDPipe,
  Post,
  Put,
  Query,
  UseGuards,
} from '@nestjs/common';
import {
  changeFilterBody,
  type ChangeFilterBody,
  type SavedFiltersAnswer,
  savedFiltersQuery,
  type SavedFiltersQuery,
  saveFilterBody,
  type SaveFilterBody,
} from '#contract/dashboard.js';
import { SavedFilters } from '#core/accounts/saved-filters.js';
import type { SessionAccount } from '#core/accounts/sessions/sessions.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { SessionGuard, SignedIn } from '../auth/session.guard.js';

const filterId = new ParseUUIDPipe({
  exceptionFactory: () => new DomainError('filter_not_found', 'No saved filter has this id.'),
});

/** /api/dashboard/filters: each call answers with the saved filters of the view. */
@Controller('api/dashboard/filters')
@UseGuards(SessionGuard)
export class FiltersController {
  constructor(private readonly savedFilters: SavedFilters) {}

  @Get()
  async list(
    @SignedIn() { accountId }: SessionAccount,
    @Query({ schema: savedFiltersQuery }) { view }: SavedFiltersQuery,
  ): Promise<SavedFiltersAnswer> {
    return this.savedFilters.list(accountId, view);
  }

  @Post()
  @HttpCode(200)
  async save(
    @SignedIn() { accountId }: SessionAccount,
    @Body({ schema: saveFilterBody }) body: SaveFilterBody,
  ): Promise<SavedFiltersAnswer> {
    return this.savedFilters.save(accountId, body);
  }

  @Put(':filterId')
  async change(
    @SignedIn() { accountId }: SessionAccount,
    @Param('filterId', filterId) id: string,
    @Body({ schema: changeFilterBody }) body: ChangeFilterBody,
  ): Promise<SavedFiltersAnswer> {
    return this.savedFilters.update(accountId, id, body);
  }

  @Delete(':filterId')
  async remove(
    @SignedIn() { accountId }: SessionAccount,
    @Param('filterId', filterId) id: string,
  ): Promise<SavedFiltersAnswer> {
    return this.savedFilters.remove(accountId, id);
  }
}
