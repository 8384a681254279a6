import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import { AccountErasure, type FeatureErasure } from '../accounts/account-erasure.js';
import { Config } from '../platform/config/config.js';
import { Postgres } from '../platform/database/postgres.js';
import { eachDueRow } from '../platform/durable-work/durable-work.js';
import { Every } from '../platform/schedules/every.js';
import { Logger } from '../platform/telemetry/logger.js';
import { MediaFiles } from './media-files.js';
import { MediaRepository, type UnnamedFile } from './media.repository.js';
import { removeLeftOvers } from './received-file.js';

const EXPIRED_EVERY_MS = 600_000;
const DELETED_EVERY_MS = 5_000;

/** Days for which files are kept: as long as texts, and at most 30. */
export function keptDaysOf({ retention }: Pick<Config, 'retention'>): number {
  return Math.min(limits.mediaKeptDays, retention.textDays ?? limits.mediaKeptDays);
}

/**
 * Expires files after their days, erases files of an account or a person, and deletes from the
 * store files that no row names any more.
 */
@Injectable()
export class MediaRetention implements FeatureErasure {
  constructor(
    accountErasure: AccountErasure,
    private readonly files: MediaFiles,
    private readonly media: MediaRepository,
    private readonly postgres: Postgres,
    private readonly config: Config,
    private readonly logger: Logger,
  ) {
    accountErasure.register(this);
  }

  /** Expires a batch of files of each account; returns whether there may be more. */
  @Every({ name: 'media retention', everyMs: EXPIRED_EVERY_MS, whileMore: true })
  async run(): Promise<boolean> {
    const keptDays = keptDaysOf(this.config);
    const expiring = await this.media.accountsExpiring(keptDays);
    for (const accountId of expiring)
      await this.postgres.transaction((tx) => this.media.expire(tx, accountId, keptDays));
    for (const accountId of await this.media.accountsAbandoning())
      await this.postgres.transaction((tx) => this.media.removeAbandoned(tx, accountId));
    return expiring.length > 0;
  }

  /** Removes files that processes that died on this machine were receiving. */
  @Every({ name: 'media left over', everyMs: EXPIRED_EVERY_MS, wholeDatabase: true })
  async removeLeftOvers(): Promise<void> {
    await removeLeftOvers(this.files.incoming);
  }

  /**
   * Deletes a batch of files that no row names; returns how many it took. Failed deletions are
   * repeated minutes later. Safe in several workers at once.
   */
  @Every({ name: 'media deletion', everyMs: DELETED_EVERY_MS, whileMore: true })
  async deleteUnnamed(): Promise<number> {
    const due = await this.media.takeDeletions();
    const { logger } = this;
    return eachDueRow(due, { name: 'deletions of files', logger, atOnceMax: 1 }, (file) => this.delete(file));
  }

  /** Removes all rows of the account; its files are deleted within seconds. */
  async erase(accountId: string): Promise<void> {
    await this.postgres.transaction((tx) => this.media.removeAll(tx, accountId));
  }

  /** Erases the files of messages; their number, types and sizes stay. */
  async eraseOfMessages(accountId: string, messageIds: readonly string[]): Promise<void> {
    await this.postgres.transaction((tx) => this.media.eraseOfMessages(tx, accountId, messageIds));
  }

  /** Erases files of the account by their ids; their types and sizes stay. */
  async eraseFiles(accountId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await this.postgres.transaction((tx) => this.media.eraseFiles(tx, accountId, ids));
  }

  private async delete(file: UnnamedFile): Promise<void> {
    for (const kind of ['original', 'thumbnail'] as const) await this.files.delete({ ...file, kind });
    await this.media.finishDeletion(file);
  }
}
