import { Argument, type Command } from 'commander';
import { AccountErasure } from '#core/accounts/account-erasure.js';
import { Accounts } from '#core/accounts/accounts.js';
import { BlockedAddresses } from '#core/accounts/blocked-addresses.js';
import { Payments } from '#core/billing/payments.js';
import { Operator } from '#core/audit/operator.js';
import { OperatorCredits, type CreditRequest } from '#core/billing/operator-credits/operator-credits.js';
import { LedgerExport } from '#core/credits/ledger-export.js';
import { LedgerKeys } from '#core/credits/ledger-keys.js';
import { OperatorNumbers } from '#core/numbers/operator-numbers.js';
import { DeliverySuspensions } from '#core/messages/status/delivery-suspensions.js';
import { OtpSettings } from '#core/otp/otp-settings.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { limits } from '#contract/limits.js';
import { checkLedger } from './check-ledger.js';
import { emailAddress, future, line, nonZero, phoneNumber, positive, whole, type RunCommand } from './command-line.js';

const REASON_CHARACTERS_MAX = 500;

/** Adds the commands for accounts, blocked network addresses and money. */
export function addAccountCommands(program: Command, run: RunCommand): void {
  const account = program.command('account').description('Manages accounts and their limits.');
  addAccountLifecycle(account, run);
  addAccountSettings(account, run);
  addRecipientCommands(program.command('recipient').description("Manages people's data."), run);
  addAddressCommands(program.command('address').description('Manages blocked network addresses.'), run);
  addMoneyCommands(program, run);
}

function addAccountLifecycle(account: Command, run: RunCommand): void {
  account
    .command('create')
    .description('Creates an account with an API key and credits.')
    .requiredOption('--email <email>', 'email address of the customer', emailAddress)
    .option('--credits <credits>', 'free credits to start with', whole)
    .option('--name <name>', 'display name', line(limits.displayNameCharactersMax), '')
    .action(({ email, credits, name }: { email: string; credits?: number; name: string }) =>
      run((get) =>
        credits === undefined
          ? get(Accounts).create({ email, displayName: name, signInType: 'google' })
          : get(OperatorCredits).createAccount(get(Operator).named(), { email, displayName: name, credits }),
      ),
    );
  account
    .command('show <email>')
    .description('Shows an account with its API key, credits and settings.')
    .action((email: string) => run((get) => get(Accounts).show(email)));
  account
    .command('delete <email>')
    .description("Erases the account's personal data. Amounts and the ledger stay under its id.")
    .requiredOption(
      '--why <reason>',
      'reason for the audit log, without names or addresses',
      line(REASON_CHARACTERS_MAX),
    )
    .option('--yes', 'confirms the erasure, which cannot be undone')
    .action((email: string, { why, yes }: { why: string; yes?: true }) =>
      run((get) => {
        if (yes) return get(AccountErasure).erase(email, why);
        throw new DomainError('invalid_request', `This cannot be undone. Add --yes to delete ${email}.`);
      }),
    );
}

function addAccountSettings(account: Command, run: RunCommand): void {
  const change = (email: string, changes: Parameters<Accounts['change']>[1]) =>
    run((get) => get(Accounts).change(email, changes));
  account
    .command('limit')
    .description('Sets the daily message limit.')
    .argument('<email>')
    .argument('<messages>', 'messages per day in New York', whole)
    .action((email: string, messages: number) => change(email, { dailyLimit: messages }));
  account
    .command('rate')
    .description("Sets the rate limit of the account's API keys.")
    .argument('<email>')
    .argument('<requests>', 'requests per second and key; 0 restores the default', whole)
    .action((email: string, requests: number) => change(email, { keyRatePerSecond: requests || null }));
  account
    .command('numbers')
    .description('Sets how many numbers the account may have bought at a time.')
    .argument('<email>')
    .argument('<numbers>', 'numbers at a time; with 0 the account buys none and keeps those that it has', whole)
    .action((email: string, numbers: number) => change(email, { numbersMax: numbers }));
  account
    .command('senders')
    .description(
      'Gives the account senders of its own, which no other account uses. Without any it uses the shared ones again.',
    )
    .argument('<email>')
    .argument('[senders...]', 'numbers (+15005550006) or messaging services (MG…), in place of earlier ones')
    .action((email: string, senders: string[]) => run((get) => get(OperatorNumbers).set(email, senders)));
  account
    .command('activate-urls <email>')
    .description('Allows URLs in messages.')
    .action((email: string) => change(email, { urlsActivated: true }));
  account
    .command('require-recipient')
    .description('Requires "to" or "otp_id" in every verifyotp of the account.')
    .argument('<email>')
    .addArgument(new Argument('<state>').choices(['on', 'off']))
    .action((email: string, state: 'on' | 'off') =>
      run(async (get) => {
        const { id } = await get(Accounts).getByEmail(email);
        const { recipientRequired } = await get(OtpSettings).change(
          id,
          { recipientRequired: state === 'on' },
          'operator',
        );
        return { email, recipientRequired };
      }),
    );
  account
    .command('block <email>')
    .description('Blocks the account from using the service.')
    .action((email: string) => change(email, { blockedAt: new Date() }));
  account
    .command('unblock <email>')
    .description('Unblocks the account.')
    .action((email: string) => change(email, { blockedAt: null }));
  account
    .command('resume <email>')
    .description('Lifts a suspension from sending. "account show" prints since when it is suspended.')
    .action((email: string) => run((get) => get(DeliverySuspensions).liftByOperator(email)));
  account
    .command('unflag <email>')
    .description('Removes the flag after a review. "account show" prints its reason.')
    .action((email: string) => change(email, { flaggedAt: null, flaggedReason: null }));
}

function addRecipientCommands(recipient: Command, run: RunCommand): void {
  recipient
    .command('erase')
    .description("Erases one person's number and texts from an account. Exits with 1 while some of it is in progress.")
    .argument('<email>', 'email address of the account')
    .argument('<number>', 'phone number of the person', phoneNumber)
    .option('--yes', 'confirms the erasure, which cannot be undone')
    .action((email: string, number: string, { yes }: { yes?: true }) =>
      run(async (get) => {
        if (!yes) throw new DomainError('invalid_request', 'This cannot be undone. Add --yes to erase the number.');
        const result = await get(AccountErasure).eraseRecipient(email, number);
        if (Object.values(result.inProgress).some((rows) => rows > 0)) process.exitCode = 1;
        return result;
      }),
    );
}

function addAddressCommands(address: Command, run: RunCommand): void {
  address
    .command('block <address>')
    .description('Blocks a network address, or a CIDR range, from using the API. An IPv6 address means its /64.')
    .action((ip: string) => run(async (get) => ({ address: await get(BlockedAddresses).block(ip), blocked: true })));
  address
    .command('unblock <address>')
    .description('Unblocks a network address, or everything within a CIDR range.')
    .action((ip: string) => run(async (get) => ({ address: await get(BlockedAddresses).unblock(ip), blocked: false })));
}

/** Output of a command whose credits wait for a second operator. */
function waitsFor(request: CreditRequest): object {
  return { waiting: request, next: `Another operator approves it: approvals approve ${request.id}` };
}

function addApprovalCommands(approvals: Command, run: RunCommand): void {
  approvals
    .command('list', { isDefault: true })
    .description('Lists credits that wait for a second operator, oldest first.')
    .action(() => run(async (get) => ({ waiting: await get(OperatorCredits).waiting() })));
  approvals
    .command('approve <id>')
    .description("Moves the credits of another operator's request, and prints its code if it is for one.")
    .action((id: string) => run((get) => get(OperatorCredits).approve(get(Operator).named(), id)));
  approvals
    .command('reject <id>')
    .description('Rejects a request, or takes back your own.')
    .action((id: string) => run((get) => get(OperatorCredits).reject(get(Operator).named(), id)));
}

function addMoneyCommands(program: Command, run: RunCommand): void {
  program
    .command('credits')
    .description('Adjusts credits.')
    .command('adjust')
    .description('Adds or removes credits of an account. Above ADJUSTMENT_APPROVAL_CREDITS it waits for approval.')
    .argument('<email>')
    .argument('<credits>', 'credits to add; negative to remove', nonZero)
    .requiredOption('--why <reason>', 'reason, stored with the ledger entry', line(REASON_CHARACTERS_MAX))
    .action((email: string, credits: number, { why }: { why: string }) =>
      run(async (get) => {
        const outcome = await get(OperatorCredits).adjust(get(Operator).named(), email, credits, why);
        return outcome.kind === 'waiting' ? waitsFor(outcome.request) : get(Accounts).show(email);
      }),
    );
  program
    .command('code')
    .description('Manages redeem codes.')
    .command('create')
    .description('Creates a redeem code. Above ADJUSTMENT_APPROVAL_CREDITS it waits for approval.')
    .requiredOption('--credits <credits>', 'credits for each account that redeems the code', positive)
    .option('--uses <accounts>', 'number of accounts that can redeem the code', positive, 1)
    .option(
      '--expires <date>',
      'a date, YYYY-MM-DD (its midnight in UTC), or an instant in ISO 8601, in the future',
      future,
    )
    .option('--why <reason>', 'reason, for a second operator', line(REASON_CHARACTERS_MAX))
    .action(({ credits, uses, expires, why }: { credits: number; uses: number; expires?: Date; why?: string }) =>
      run(async (get) => {
        const terms = { credits, uses, expiresAt: expires ?? null, why: why ?? null };
        const outcome = await get(OperatorCredits).createCode(get(Operator).named(), terms);
        return outcome.kind === 'waiting' ? waitsFor(outcome.request) : { code: outcome.code };
      }),
    );
  addApprovalCommands(program.command('approvals').description('Shows and decides on credits that wait.'), run);
  program
    .command('payments')
    .description('Shows payments.')
    .command('list <email>')
    .description("Lists the account's payments, newest first.")
    .action((email: string) => run((get) => get(Payments).list(email)));
  const ledger = program.command('ledger').description('Checks and proves the ledger.');
  ledger
    .command('verify [email]')
    .description(
      'Verifies the signed seals of all ledgers, or of one. Exits with 1 and names the entry when one was changed.',
    )
    .action((email?: string) =>
      run(async (get) => {
        const only = email === undefined ? undefined : (await get(Accounts).getByEmail(email)).id;
        const result = await get(LedgerExport).verify(only);
        if (result.faults.length > 0) process.exitCode = 1;
        return result;
      }),
    );
  ledger
    .command('rotate-key')
    .description('Retires the key that signs seals and makes a new one. Both stay published.')
    .action(() => run((get) => get(LedgerKeys).rotate()));
  ledger
    .command('check')
    .description('Compares balances with the ledger and messages with their charges. Exits with 1 on a mismatch.')
    .action(() =>
      run(async (get) => {
        const check = await checkLedger(get);
        if (check.mismatches > 0) process.exitCode = 1;
        return check;
      }),
    );
}
