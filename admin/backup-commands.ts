import { type Command, InvalidArgumentError } from 'commander';
import { SettleRestored } from '#core/messages/recovery/settle-restored.js';
import { Config, withDatabase } from '#core/platform/config/config.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { VerifiedBackups } from '#core/platform/health/verified-backups.js';
import { SubmitNotes } from '#core/providers/smpp/submitted-segments.js';
import { checkLedger } from './check-ledger.js';
import type { RunCommand } from './command-line.js';
import { runnerOver } from './run.js';
import { verifyBackup } from '#core/platform/database/verify-backup.js';

/** Adds commands. docs/backup.md describes when to use each. */
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
  backup
    .command('settle')
    .requiredOption('--since <time>', 'when the dump was made, as its name has it, or ISO 8601 with a zone', dumpTime)
    .option(
      '--resend <carrier>',
      'sends the messages of this carrier as if none had been sent since the dump; smpp for all binds; repeatable',
      added,
      [],
    )
    .description(
      'In a restored database, before a worker starts: decides what became of the messages that were waiting when ' +
        'the dump was made. Prints how many of each carrier are asked for, await a receipt, or are sent.',
    )
    .action(({ since, resend }: { since: Date; resend: string[] }) =>
      run(async (get) => {
        const restored = { dumpedAt: since, resend };
        const carriers = await get(SettleRestored).settle(restored, new SubmitNotes(get(Postgres)));
        return { since, carriers };
      }),
    );
}

/** Parses a past instant; a space may be in place of T, as Postgres writes it, and colons may lack. */
function dumpTime(text: string): Date {
  const [, day, hour, minute, second, zone = ''] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d):?(\d\d):?(\d\d(?:\.\d+)?)(Z|[+-]\d\d(?::?\d\d)?)$/.exec(text) ?? [];
  const offset = zone.length === 3 ? `${zone}:00` : zone.replace(/^(...)(\d\d)$/, '$1:$2');
  const at = new Date(`${day}T${hour}:${minute}:${second}${offset}`);
  if (Number.isNaN(at.getTime()) || at.getTime() > Date.now())
    throw new InvalidArgumentError('Give the time of the dump, such as 2026-11-21T023000Z or 2026-11-21T02:30:00Z.');
  return at;
}

function added(name: string, before: readonly string[]): string[] {
  return [...before, name];
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
