import { Inject, Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { LOGGER, type Logger } from '../logging/logger.js';
import { AccountsRepository } from './accounts.repository.js';

/** Marks an account for the operator to look at; it goes on working. */
@Injectable()
export class FlagAccount {
  constructor(
    private readonly accounts: AccountsRepository,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async run(tx: EntityManager, accountId: string, reason: string): Promise<void> {
    await this.accounts.flag(tx, accountId, reason);
    this.logger.warn({ accountId, reason }, 'account flagged');
  }
}
