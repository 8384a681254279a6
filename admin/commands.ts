import { Command } from 'commander';
import { Accounts } from '#core/accounts/accounts.js';
import { ApiKeys } from '#core/accounts/api-keys.js';
import { AuditLog } from '#core/audit/audit-log.js';
import { DispatchPauses } from '#core/messages/dispatch/dispatch-pauses.js';
import { QueueControl } from '#core/platform/queue/queue-control.js';
import { queueNames } from '#core/platform/queue/queues.js';
import { WebhookSecrets } from '#core/webhooks/endpoints/webhook-secrets.js';
import { addAccountCommands } from './account-commands.js';
import { audited, whole, type Get, type Run, type RunCommand } from './command-line.js';
import { addMessageCommands } from './message-commands.js';

const AUDIT_ENTRIES = 50;
const AUDIT_ENTRIES_MAX = 1_000;

/**
 * The program with all commands, which throws instead of ending the process. Commander's own words on stderr are left out: a
 * refusal is printed as JSON.
 */
export function operatorProgram(run: Run): Command {
  const program = new Command('admin').description('Commands for the operator. Each prints JSON.');
  program
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .configureHelp({ showGlobalOptions: true });
  addCommands(program, run);
  return program;
}

/** Adds all commands. Each prints one JSON value; an error is printed as `{error, code}` with exit code 1. */
export function addCommands(program: Command, runUnaudited: Run): void {
  const run = audited(program, runUnaudited);
  addAccountCommands(program, run);
  addMessageCommands(program, run);
  addQueueCommands(program.command('queue').description('Shows and controls the job queues.'), run);
  addKeyCommands(program.command('keys').description('Manages encryption keys.'), run);
  addAuditCommands(program.command('audit').description('Shows the audit log.'), run);
}

/** docs/queues.md explains when to use which. */
function addQueueCommands(queue: Command, run: RunCommand): void {
  type Work = (get: Get, chosen: string | undefined) => Promise<object>;
  const add = (
    name: string,
    action: 'status' | 'pause' | 'resume' | 'retry' | 'drain',
    description: string,
    work?: Work,
  ) =>
    queue
      .command(name)
      .argument('[queue]', 'dispatch, webhooks, mail or arrived-credits; all queues by default')
      .description(description)
      .action((chosen: string | undefined) =>
        run((get) => (work ? work(get, chosen) : get(QueueControl)[action](chosen))),
      );
  add(
    'status',
    'status',
    'Counts jobs by state and shows whether the queue is paused, by you or because the carrier refuses our account.',
    queueStatus,
  );
  add('pause', 'pause', 'Stops workers from starting jobs. Messages are still accepted.');
  add(
    'resume',
    'resume',
    'Lets workers start jobs again, and has them try at once whether the carrier accepts our account.',
    async (get, chosen) => {
      const status = await get(QueueControl).resume(chosen);
      if (status[queueNames.dispatch]) await get(DispatchPauses).probeSoon();
      return status;
    },
  );
  add('retry-failed', 'retry', 'Runs failed and delayed jobs immediately.');
  add('drain', 'drain', 'Removes waiting jobs. Their rows stay in Postgres, and recovery enqueues them again.');
}

async function queueStatus(get: Get, chosen: string | undefined): Promise<object> {
  const status = await get(QueueControl).status(chosen);
  const dispatch = status[queueNames.dispatch];
  if (!dispatch) return status;
  const latest = await get(DispatchPauses).latest();
  const carrierPause = latest?.resumedAt === null ? latest : null;
  return { ...status, [queueNames.dispatch]: { ...dispatch, carrierPause } };
}

function addKeyCommands(keys: Command, run: RunCommand): void {
  keys
    .command('re-encrypt')
    .description(
      'Encrypts API keys and webhook secrets with API_KEY_ENCRYPTION_KEY. Exits with 1 when one cannot be decrypted.',
    )
    .action(() =>
      run(async (get) => {
        const apiKeys = await get(ApiKeys).reencrypt();
        const secrets = await get(WebhookSecrets).reencrypt();
        const unreadable = apiKeys.unreadable + secrets.unreadable;
        if (unreadable > 0) process.exitCode = 1;
        return { reencrypted: apiKeys.reencrypted + secrets.reencrypted, unreadable };
      }),
    );
}

function addAuditCommands(audit: Command, run: RunCommand): void {
  audit
    .command('list')
    .description('Lists entries of the audit log, newest first.')
    .option('--email <email>', 'entries of this account only')
    .option('--before <id>', 'entries before this one, to continue a list', whole)
    .option('--entries <entries>', 'number of entries', whole, AUDIT_ENTRIES)
    .action(({ email, before, entries }: { email?: string; before?: number; entries: number }) =>
      run(async (get) => {
        const accountId = email === undefined ? undefined : (await get(Accounts).show(email)).id;
        const entriesMax = Math.min(entries, AUDIT_ENTRIES_MAX);
        return { entries: await get(AuditLog).list({ accountId, beforeId: before, entriesMax }) };
      }),
    );
}
