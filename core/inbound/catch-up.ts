import { Injectable } from '@nestjs/common';
import { adoptRecent, listRecentForAccounts } from '../messages/store/opt-outs.sql.js';
import { Postgres } from '../platform/database/postgres.js';
import { Every } from '../platform/schedules/every.js';
import { threadsOfRecentReplies } from './reply-threads.sql.js';

const EVERY_MS = 300_000;
/** Hours to look back: longer than a deployment in which processes of two releases run. */
const BACK_HOURS = 2;

/**
 * Adds data of an account's opt-outs and the dashboard's lists that the process that received a
 * reply could not add: an opt-out that concerns accounts in another part of the database, and
 * replies that a process of the previous release received. Adding it twice changes nothing.
 */
@Injectable()
export class CatchUp {
  constructor(private readonly postgres: Postgres) {}

  @Every({ name: 'inbound catch-up', everyMs: EVERY_MS })
  async run(): Promise<void> {
    await this.postgres.query(adoptRecent, [BACK_HOURS]);
    await this.postgres.query(listRecentForAccounts, [BACK_HOURS]);
    await this.postgres.query(threadsOfRecentReplies, [BACK_HOURS]);
  }
}
