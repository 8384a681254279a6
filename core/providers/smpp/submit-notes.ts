import { Postgres } from '../../platform/database/postgres.js';
import type { RestoredNotes } from '../../messages/recovery/settle-restored.js';
import { deleteSubmitsStatement, noteSubmitsStatement } from './submitted-segments.js';

/** The notes on submits, written without a connection to the peer. */
export class SubmitNotes implements RestoredNotes {
  constructor(private readonly postgres: Postgres) {}

  async add(carrier: number, messageIds: readonly string[]): Promise<void> {
    await this.postgres.query(noteSubmitsStatement, [carrier, messageIds, []]);
  }

  async remove(carrier: number, messageIds: readonly string[]): Promise<void> {
    await this.postgres.query(deleteSubmitsStatement, [carrier, messageIds]);
  }
}
