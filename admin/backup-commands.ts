import type { Command } from 'commander';
import { Config, withDatabase } from '#core/platform/config/config.js';
import { VerifiedBackups } from '#core/platform/health/verified-backups.js';
import { checkLedger } from './check-ledger.js';
import type { RunCommand } from './command-line.js';
import { runnerOver } from './run.js';
import { verifyBackup } from '#core/platform/database/verify-backup.js';

/** docs/backup.md describes when to use which. */
export function addBackupCommands(backup: Command, run: RunCommand): void {
  backup
    .command('verify')
    .argument('[path]', 'a dump, or a folder whose newest *.dump is taken', '.')
    .description(
      'Restores a dump into a database that it creates and drops, and checks ledger and counts. Exits with 1 and a ' +
        'reason when the dump is not in order. Needs pg_restore.',
    )
    .action((path: string) =>
      run(async (get) => {
        const config = get(Config);
        const result = await verifyBackup(path, config.database, (url) => mismatchesIn(withDatabase(config, url)));
        if (result.verified) await get(VerifiedBackups).record(result);
        else process.exitCode = 1;
        return result;
      }),
    );
}

/** The findings of `ledger check` in the database of these settings. */
async function mismatchesIn(config: Config): Promise<number> {
  let found: object = {};
  await runnerOver(config, (result) => (found = result))(
    (app) => checkLedger((type) => app.get(type, { strict: false })),
    undefined,
  );
  if ('mismatches' in found && typeof found.mismatches === 'number') return found.mismatches;
  throw new Error('The ledger check gave no number of mismatches');
}
