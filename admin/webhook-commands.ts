import type { Command } from 'commander';
import { Accounts } from '#core/accounts/accounts.js';
import { WebhookDeliveries } from '#core/webhooks/deliveries/webhook-deliveries.js';
import { WebhookEndpoints } from '#core/webhooks/endpoints/webhook-endpoints.js';
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
        const { id } = await app.get(Accounts, anywhere).getByEmail(email);
        await app.get(WebhookEndpoints, anywhere).disable(id);
        return { email, disabled: true };
      }),
    );
  webhook
    .command('enable <email>')
    .description('call it again; what waited goes out')
    .action((email: string) =>
      run(async (app) => {
        const { id } = await app.get(Accounts, anywhere).getByEmail(email);
        await app.get(WebhookEndpoints, anywhere).enable(id, 'operator');
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
    const { secret: _secret, ...webhook } = await app.get(WebhookEndpoints, anywhere).show(id);
    const { deliveries } = await app.get(WebhookDeliveries, anywhere).list(id, {});
    return { ...webhook, deliveries };
  });
}

function redeliver(run: Run, id: string | undefined, { account, from, to, all }: RedeliverOptions): Promise<void> {
  return run(async (app) => {
    const deliveries = app.get(WebhookDeliveries, anywhere);
    if (id !== undefined && account === undefined) {
      await deliveries.resend(null, id);
      return deliveries.show(null, id);
    }
    if (id !== undefined || account === undefined || from === undefined)
      throw new DomainError('invalid_request', 'Give an id, or --account and --from.');
    const { id: accountId } = await app.get(Accounts, anywhere).getByEmail(account);
    const range = { from, to: to ?? new Date(), which: all ? ('all' as const) : ('failed' as const) };
    return deliveries.replay(accountId, 'operator', range);
  });
}
