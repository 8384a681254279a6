import { Command } from 'commander';
import type { z } from 'zod';
import { createKeyBody, keyScopes, rotateKeyBody } from '#contract/account.js';
import { faultText } from '#contract/faults.js';
import { limits } from '#contract/limits.js';
import { Accounts } from '#core/accounts/accounts.js';
import { ReencryptKeys } from '#core/keys/reencrypt-keys.js';
import { NamedKeys } from '#core/keys/named-keys.js';
import { AuditLog } from '#core/audit/audit-log.js';
import { DispatchPauses } from '#core/messages/dispatch/dispatch-pauses.js';
import { accountSettingsOf, carrierNameOf, Config } from '#core/platform/config/config.js';
import { QueueControl } from '#core/platform/queue/queue-control.js';
import { checkRedis } from '#core/platform/queue/redis-client.js';
import { Postgres } from '#core/platform/database/postgres.js';
import { Shards } from '#core/platform/database/shards.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { queueNames } from '#core/platform/queue/queues.js';
import { MessageCallbacks } from '#core/webhooks/callbacks/message-callbacks.js';
import { EndKeys } from '#core/messages/status/end-keys.js';
import { KeySchedules } from '#core/messages/status/key-schedules.js';
import { LedgerKeys } from '#core/credits/ledger-keys.js';
import type { Reencryption } from '#core/platform/crypto/encryption.js';
import { Plugs } from '#core/keys/plugs.js';
import { ReencryptTotps } from '#core/totp/reencrypt-totps.js';
import { WebhookSecrets } from '#core/webhooks/endpoints/webhook-secrets.js';
import { addAccountCommands } from './account-commands.js';
import { addBackupCommands } from './backup-commands.js';
import { audited, future, positive, rowId, upTo, whole, type Get, type Run, type RunCommand } from './command-line.js';
import { addMarginCommand } from './margin-command.js';
import { addMessageCommands } from './message-commands.js';
import { addRegionCommands } from './region-commands.js';
import { addRouteCommands } from './route-commands.js';

const AUDIT_ENTRIES = 50;
const AUDIT_ENTRIES_MAX = 1_000;

/**
 * Returns the program with all commands, which throws instead of ending the process. Commander
 * prints nothing to stderr: errors are printed as JSON.
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

/**
 * Adds all commands. Each prints one JSON value; an error is printed as `{error, code}` with exit
 * code 1.
 */
export function addCommands(program: Command, runUnaudited: Run): void {
  const run = audited(program, runUnaudited);
  addAccountCommands(program, run);
  addMessageCommands(program, run);
  addRouteCommands(program.command('route').description('Chooses the carriers of each country.'), run);
  addRegionCommands(program.command('region').description('Chooses the countries that are served.'), run);
  addMarginCommand(program, run);
  addQueueCommands(program.command('queue').description('Shows and controls the job queues.'), run);
  addKeyCommands(program.command('keys').description('Manages encryption keys.'), run);
  addNamedKeyCommands(program.command('key').description('Manages named API keys.'), run);
  addAuditCommands(program.command('audit').description('Shows the audit log.'), run);
  addBackupCommands(program.command('backup').description('Checks backups.'), run);
  program
    .command('shards')
    .description('Shows a database that is distributed over several nodes.')
    .command('status')
    .description('Shows nodes, groups of shards and their sizes.')
    .action(() => run((get) => get(Shards).status()));
}

/** Adds commands. docs/queues.md explains when to use each. */
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
      .argument(
        '[queue]',
        'dispatch (all SMPP binds and channels included), dispatch-NAME of one, webhooks, mail or credits-added; ' +
          'all by default',
      )
      .description(description)
      .action((chosen: string | undefined) =>
        run(async (get) => {
          const { redis } = get(Config).queue;
          if (redis) await checkRedis(redis);
          return work ? work(get, chosen) : get(QueueControl)[action](chosen);
        }),
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
  const config = get(Config);
  const paused = (await get(DispatchPauses).latest())
    .filter(({ resumedAt }) => resumedAt === null)
    .map((pause) => ({
      ...pause,
      carrierName: carrierNameOf(config, pause.carrier),
      check: accountSettingsOf(config, pause.carrier),
    }));
  const carrierPause = paused.length > 1 ? paused : (paused[0] ?? null);
  return { ...status, [queueNames.dispatch]: { ...dispatch, carrierPause } };
}

interface Reencrypting {
  reencrypt(): Promise<Reencryption>;
}

function addKeyCommands(keys: Command, run: RunCommand): void {
  keys
    .command('re-encrypt')
    .description(
      'Encrypts API keys, secrets of webhooks, plugs and authenticators, and the keys of the ledger with ' +
        'API_KEY_ENCRYPTION_KEY. Exits with 1 when one cannot be decrypted.',
    )
    .action(() =>
      run(async (get) => {
        const counts = { reencrypted: 0, unreadable: 0 };
        const done = [await get(LedgerKeys).reencrypt()];
        for (const owner of [ReencryptKeys, WebhookSecrets, MessageCallbacks, Plugs, ReencryptTotps])
          done.push(...(await get(Postgres).onEach(() => get<Reencrypting>(owner).reencrypt())));
        for (const { reencrypted, unreadable } of done) {
          counts.reencrypted += reencrypted;
          counts.unreadable += unreadable;
        }
        if (counts.unreadable > 0) process.exitCode = 1;
        return counts;
      }),
    );
}

interface KeyOptions {
  readonly test?: true;
  readonly scopes: string[];
  readonly addresses: string[];
  readonly countries: string[];
  readonly perDay?: number;
  readonly perMonth?: number;
  readonly perSecond?: number;
  readonly expires?: Date;
}

const CANCEL_SCHEDULED = 'cancels and refunds the messages that the key has scheduled';

function addNamedKeyCommands(key: Command, run: RunCommand): void {
  const idOf = async (get: Get, email: string) => (await get(Accounts).getByEmail(email)).id;
  key
    .command('list <email>')
    .description("Lists an account's named keys, without secrets.")
    .action((email: string) => run(async (get) => ({ keys: await get(NamedKeys).list(await idOf(get, email)) })));
  key
    .command('create <email> <name>')
    .description('Creates a key and prints its secret, which is not shown again.')
    .option('--test', 'a test key: requests are checked, nothing is sent or charged')
    .option('--scopes <scopes>', `some of ${keyScopes.join(',')}`, listed, ['send', 'read'])
    .option('--addresses <addresses>', 'only from these network addresses or CIDR ranges', listed, [])
    .option('--countries <countries>', 'only to these countries, such as US,CA', listed, [])
    .option('--per-day <credits>', 'credits per day in New York', positive)
    .option('--per-month <credits>', 'credits per month in New York', positive)
    .option('--per-second <messages>', 'messages per second', positive)
    .option('--expires <date>', 'date on which the key ends', future)
    .action((email: string, name: string, { test, perDay, perMonth, perSecond, expires, ...lists }: KeyOptions) =>
      run(async (get) => {
        const body = parsed(createKeyBody, {
          ...lists,
          name,
          mode: test ? 'test' : 'live',
          creditsPerDay: perDay ?? null,
          creditsPerMonth: perMonth ?? null,
          messagesPerSecond: perSecond ?? null,
          expiresAt: expires?.toISOString() ?? null,
        });
        return get(NamedKeys).create({ actor: 'operator', accountId: await idOf(get, email) }, body);
      }),
    );
  key
    .command('rotate <email> <id>')
    .description('Replaces the secret of a key and prints the new one, which is not shown again.')
    .option('--keep-old <hours>', `how long the old secret still works, up to ${limits.oldKeyHoursMax}`, whole, 0)
    .option('--cancel-scheduled', CANCEL_SCHEDULED)
    .action(
      (
        email: string,
        id: string,
        { keepOld, cancelScheduled = false }: { keepOld: number; cancelScheduled?: boolean },
      ) =>
        run(async (get) => {
          const { keepOldForHours } = parsed(rotateKeyBody, { keepOldForHours: keepOld });
          const by = { actor: 'operator', accountId: await idOf(get, email) } as const;
          const { secret, canceled } = await get(EndKeys).rotate(by, id, keepOldForHours, cancelScheduled);
          return { id, secret, canceled, scheduled: await get(KeySchedules).count(by.accountId, id) };
        }),
    );
  key
    .command('end-old <email> <id>')
    .description('Ends the replaced secrets of a key at once.')
    .action((email: string, id: string) =>
      run(async (get) => {
        await get(NamedKeys).endOldSecrets({ actor: 'operator', accountId: await idOf(get, email) }, id);
        return { id, ended: true };
      }),
    );
  key
    .command('revoke <email> <id>')
    .description(
      'Ends a key at once. Prints how many of its scheduled messages were canceled, and how many still leave.',
    )
    .option('--cancel-scheduled', CANCEL_SCHEDULED)
    .action((email: string, id: string, { cancelScheduled = false }: { cancelScheduled?: boolean }) =>
      run(async (get) => {
        const by = { actor: 'operator', accountId: await idOf(get, email) } as const;
        const { canceled } = await get(EndKeys).revoke(by, id, cancelScheduled);
        return { id, revoked: true, canceled, scheduled: await get(KeySchedules).count(by.accountId, id) };
      }),
    );
}

/** Parses input. Throws `invalid_request`, which names the field. */
function parsed<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input, { error: faultText });
  if (result.success) return result.data;
  const [fault] = result.error.issues;
  throw new DomainError('invalid_request', `${fault?.path.join('.')}: ${fault?.message}`);
}

function listed(text: string): string[] {
  return text.split(',').map((one) => one.trim());
}

function addAuditCommands(audit: Command, run: RunCommand): void {
  audit
    .command('list')
    .description('Lists entries of the audit log, newest first.')
    .option('--email <email>', 'entries of this account only')
    .option('--before <id>', 'entries before this one, to continue a list', rowId)
    .option(
      '--entries <entries>',
      `number of entries, up to ${AUDIT_ENTRIES_MAX}`,
      upTo(AUDIT_ENTRIES_MAX),
      AUDIT_ENTRIES,
    )
    .action(({ email, before, entries }: { email?: string; before?: number; entries: number }) =>
      run(async (get) => {
        const accountId = email === undefined ? undefined : (await get(Accounts).show(email)).id;
        return { entries: await get(AuditLog).list({ accountId, beforeId: before, entriesMax: entries }) };
      }),
    );
}
