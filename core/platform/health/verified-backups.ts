import { Injectable } from '@nestjs/common';
import { Postgres } from '../database/postgres.js';

/** A dump that was restored and found in order. */
export interface VerifiedBackup {
  readonly file: string;
  /** Time at which the dump began. */
  readonly dumpedAt: Date;
}

/** A dump that is verified later than a newer dump does not replace it. */
const recordStatement = {
  text: `
INSERT INTO verified_backups AS b (file, dumped_at, verified_at) VALUES ($1, $2, now())
ON CONFLICT (id) DO UPDATE SET file = excluded.file, dumped_at = excluded.dumped_at, verified_at = excluded.verified_at
WHERE excluded.dumped_at >= b.dumped_at`,
  shared: true,
} as const;

const newestStatement = { text: 'SELECT file, dumped_at AS "dumpedAt" FROM verified_backups', shared: true } as const;

/** Remembers the newest verified backup, so that its age can be measured. */
@Injectable()
export class VerifiedBackups {
  constructor(private readonly postgres: Postgres) {}

  async record({ file, dumpedAt }: VerifiedBackup): Promise<void> {
    await this.postgres.query(recordStatement, [file, dumpedAt]);
  }

  /** Returns the newest backup; undefined before the first. */
  async newest(): Promise<VerifiedBackup | undefined> {
    const [row] = await this.postgres.query<VerifiedBackup>(newestStatement, []);
    return row;
  }
}
