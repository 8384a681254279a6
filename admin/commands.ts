import type { Command } from 'commander';
import { Accounts } from '#core/accounts/accounts.js';
import { BlockedAddresses } from '#core/accounts/blocked-addresses.js';
import { AccountErasure } from '#core/accounts/account-erasure.js';
import { RedeemCodes } from '#core/billing/redeem-codes.js';
import { Payments } from '#core/billing/payments.js';
import { ApiKeys } from '#core/accounts/api-keys.js';
import { AuditLog } from '#core/audit/audit-log.js';
import { ReceivedHistory } from '#core/inbound/received-history.js';
import { OptOuts } from '#core/inbound/opt-outs.js';
import { Messages } from '#core/messages/messages.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { WebhookSecrets } from '#core/webhooks/endpoints/webhook-secrets.js';
import { instant, nonZero, positive, whole } from './arguments.js';
import { audited, type Run } from './audited.js';
import { addQueueCommands } from './queue-commands.js';
import { addWebhookCommands } from './webhook-commands.js';

export type { Run } from './audited.js';

/** Every command of the operator. Each prints one JSON value; a "no" is printed as `{error, code}` with exit code 1. */
export function addCommands(program: Command, runPlain: Run): void {
  const run = audited(program, runPlain);
  addAccountCommands(program.command('account').description('customers and their limits'), run);

  const address = program.command('address').description('network addresses');
  address
    .command('block <address>')
    .action((ip: string) =>
      run(async (app) => ({ address: await app.get(BlockedAddresses, anywhere).block(ip), blocked: true })),
    );
  address
    .command('unblock <address>')
    .action((ip: string) =>
      run(async (app) => ({ address: await app.get(BlockedAddresses, anywhere).unblock(ip), blocked: false })),
    );

  program
    .command('credits')
    .command('adjust')
    .description('give credits, or take them')
    .argument('<email>')
    .argument('<credits>', 'credits to give; negative to take', nonZero)
    .requiredOption('--why <reason>', 'kept with the ledger entry')
    .action((email: string, credits: number, { why }: { why: string }) =>
      run((app) => app.get(Accounts, anywhere).adjustCredits(email, credits, why)),
    );

  program
    .command('code')
    .command('create')
    .description('a code that brings credits')
    .requiredOption('--credits <credits>', 'credits for each account that redeems it', positive)
    .option('--uses <accounts>', 'how many accounts may redeem it', positive, 1)
    .option('--expires <date>', 'a date, 2026-12-31 (its midnight in UTC), or an instant in ISO 8601', instant)
    .action(({ credits, uses, expires }: { credits: number; uses: number; expires?: Date }) =>
      run((app) => app.get(RedeemCodes, anywhere).create(credits, uses, expires ?? null)),
    );

  program
    .command('payments')
    .command('list <email>')
    .description('what an account has bought, newest first')
    .action((email: string) => run((app) => app.get(Payments, anywhere).list(email)));

  program
    .command('ledger')
    .command('check')
    .description('balances against the ledger, messages against their charges; exit code 1 on a mismatch')
    .action(() =>
      run(async (app) => {
        const check = await app.get(Messages, anywhere).checkCharges();
        check.mismatches += await app.get(ReceivedHistory, anywhere).countMismatches();
        if (check.mismatches > 0) process.exitCode = 1;
        return check;
      }),
    );

  program
    .command('keys')
    .command('re-encrypt')
    .description(
      'encrypt the readable copies of API keys and the webhooks’ secrets with API_KEY_ENCRYPTION_KEY; exit code 1 when one cannot be read',
    )
    .action(() =>
      run(async (app) => {
        const keys = await app.get(ApiKeys, anywhere).reencrypt();
        const secrets = await app.get(WebhookSecrets, anywhere).reencrypt();
        const unreadable = keys.unreadable + secrets.unreadable;
        if (unreadable > 0) process.exitCode = 1;
        return { reencrypted: keys.reencrypted + secrets.reencrypted, unreadable };
      }),
    );

  addWebhookCommands(program.command('webhook').description('webhooks of customers'), run);
  addInboundCommands(program, run);
  addAuditCommands(program.command('audit').description('who did what'), run);

  addQueueCommands(program.command('queue').description('what waits for the workers'), run);

  program
    .command('message')
    .command('show <id>')
    .action((id: string) => run((app) => app.get(Messages, anywhere).findForOperator(id)));
}

function addAccountCommands(account: Command, run: Run): void {
  account
    .command('create')
    .requiredOption('--email <email>')
    .option('--credits <credits>', 'free credits of the start', whole)
    .option('--name <name>', 'display name', '')
    .action(({ email, credits, name }: { email: string; credits?: number; name: string }) =>
      run((app) =>
        app
          .get(Accounts, anywhere)
          .create({ email, displayName: name, signInType: 'google', ...(credits !== undefined && { credits }) }),
      ),
    );
  account.command('show <email>').action((email: string) => run((app) => app.get(Accounts, anywhere).show(email)));
  const change = (email: string, changes: Parameters<Accounts['change']>[1]) =>
    run((app) => app.get(Accounts, anywhere).change(email, changes));
  account
    .command('limit')
    .argument('<email>')
    .argument('<messages>', 'messages per New York day', whole)
    .action((email: string, messages: number) => change(email, { dailyLimit: messages }));
  account
    .command('rate')
    .argument('<email>')
    .argument('<requests>', 'requests per second with its key; 0 for the service’s own limit', whole)
    .action((email: string, requests: number) => change(email, { keyRatePerSecond: requests || null }));
  account
    .command('activate-urls <email>')
    .description('let messages carry URLs')
    .action((email: string) => change(email, { urlsActivated: true }));
  account.command('block <email>').action((email: string) => change(email, { blockedAt: new Date() }));
  account.command('unblock <email>').action((email: string) => change(email, { blockedAt: null }));
  account
    .command('unflag <email>')
    .description('a flag has been looked at; account show tells its reason')
    .action((email: string) => change(email, { flaggedAt: null, flaggedReason: null }));
  account
    .command('delete <email>')
    .description('forget whoever it was, for good; amounts and the ledger stay under its id')
    .requiredOption('--why <reason>', 'kept in the audit log: no name and no address in it')
    .option('--yes', 'it cannot be undone')
    .action((email: string, { why, yes }: { why: string; yes?: true }) =>
      run((app) => {
        if (yes) return app.get(AccountErasure, anywhere).erase(email, why);
        throw new DomainError('invalid_request', `This cannot be undone. Add --yes to delete ${email}.`);
      }),
    );
}

function addAuditCommands(audit: Command, run: Run): void {
  audit
    .command('list')
    .description('newest first')
    .option('--email <email>', 'of one account')
    .option('--before <id>', 'go on where a list ended', whole)
    .option('--entries <entries>', 'how many', whole, AUDIT_ENTRIES)
    .action(({ email, before, entries }: { email?: string; before?: number; entries: number }) =>
      run(async (app) => {
        const accountId = email === undefined ? undefined : (await app.get(Accounts, anywhere).show(email)).id;
        const entriesMax = Math.min(entries, AUDIT_ENTRIES_MAX);
        return { entries: await app.get(AuditLog, anywhere).list({ accountId, beforeId: before, entriesMax }) };
      }),
    );
}

function addInboundCommands(program: Command, run: Run): void {
  const optOut = program.command('optout').description('people who do not want to hear from a sender');
  optOut
    .command('list')
    .description('newest first')
    .option('--recipient <number>', 'of one person')
    .action(({ recipient }: { recipient?: string }) => run((app) => app.get(OptOuts, anywhere).list(recipient)));
  optOut
    .command('lift <number>')
    .description('a person wants to hear from us again; Twilio keeps a list of its own')
    .option('--sender <sender>', 'from this one alone')
    .action((number: string, { sender }: { sender?: string }) =>
      run((app) => app.get(OptOuts, anywhere).lift(number, sender)),
    );
  program
    .command('inbound')
    .command('status')
    .description('what became of the replies that came in')
    .option('--hours <hours>', 'of so many hours', positive, INBOUND_STATUS_HOURS)
    .action(({ hours }: { hours: number }) =>
      run(async (app) => ({ hours, ...(await app.get(ReceivedHistory, anywhere).countOutcomes(hours)) })),
    );
}

const INBOUND_STATUS_HOURS = 24;
const AUDIT_ENTRIES = 50;
const AUDIT_ENTRIES_MAX = 1_000;

/** Use cases are found in whichever module exports them. */
const anywhere = { strict: false } as const;
