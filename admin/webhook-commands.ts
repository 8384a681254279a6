import type { Command } from 'commander';
import { Accounts } from '#core/accounts/accounts.js';
import { SendAgain } from '#core/webhooks/deliveries/send-again.js';
import { ShowDeliveries } from '#core/webhooks/deliveries/show-deliveries.js';
import { ShowWebhook } from '#core/webhooks/endpoints/show-webhook.js';
import { SwitchWebhook } from '#core/webhooks/endpoints/switch-webhook.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { instant } from './arguments.js';
import type { Run } from './audited.js';

const anywhere = { strict: false } as const;

interface RedeliverOptions {
  readonly account?: string;
  readonly from?: Date;
  readonly to?: Date;
  readonly all?: true;
}

/** Webhooks of customers: look at one, turn it off or on, send again. */
export function addWebhookCommands(webhook: Command, run: Run): void {
  webhook
    .command('show <email>')
    .description('what is set, and the newest deliveries')
    .action((email: string) => show(run, email));
  webhook
    .command('disable <email>')
    .description('stop calling it; what comes waits for up to seven days')
    .action((email: string) =>
      run(async (app) => {
        await app.get(SwitchWebhook, anywhere).disable(email);
        return { email, disabled: true };
      }),
    );
  webhook
    .command('enable <email>')
    .description('call it again; what waited goes out')
    .action((email: string) =>
      run(async (app) => {
        await app.get(SwitchWebhook, anywhere).enableOf(email);
        return { email, disabled: false };
      }),
    );
  webhook
    .command('redeliver')
    .description('send one again, or those of an account in a time range that failed')
    .argument('[id]', 'of one, msg_…')
    .option('--account <email>', 'in place of an id')
    .option('--from <instant>', 'a date, or an instant in ISO 8601', instant)
    .option('--to <instant>', 'exclusive; now when it is left out', instant)
    .option('--all', 'also those that arrived')
    .action((id: string | undefined, options: RedeliverOptions) => redeliver(run, id, options));
}

/** The secret stays with its owner. */
function show(run: Run, email: string): Promise<void> {
  return run(async (app) => {
    const { id } = await app.get(Accounts, anywhere).getByEmail(email);
    const { secret: _secret, ...webhook } = await app.get(ShowWebhook, anywhere).run(id);
    const { deliveries } = await app.get(ShowDeliveries, anywhere).page(id, {});
    return { ...webhook, deliveries };
  });
}

function redeliver(run: Run, id: string | undefined, { account, from, to, all }: RedeliverOptions): Promise<void> {
  return run(async (app) => {
    const sendAgain = app.get(SendAgain, anywhere);
    if (id !== undefined && account === undefined) {
      await sendAgain.oneOfAny(id);
      return app.get(ShowDeliveries, anywhere).one(null, id);
    }
    if (id !== undefined || account === undefined || from === undefined)
      throw new DomainError('invalid_request', 'Give an id, or --account and --from.');
    const { id: accountId } = await app.get(Accounts, anywhere).getByEmail(account);
    const range = { from, to: to ?? new Date(), which: all ? ('all' as const) : ('failed' as const) };
    return sendAgain.range(accountId, 'operator', range);
  });
}
