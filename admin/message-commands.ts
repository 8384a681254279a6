import type { Command } from 'commander';
import { Accounts } from '#core/accounts/accounts.js';
import { OptOuts } from '#core/inbound/opt-outs.js';
import { ReceivedHistory } from '#core/inbound/received-history.js';
import { Messages } from '#core/messages/history/messages.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { WebhookDeliveries } from '#core/webhooks/webhook-deliveries.js';
import { WebhookEndpoints } from '#core/webhooks/endpoints/webhook-endpoints.js';
import { instant, phoneNumber, sender, upTo, type RunCommand } from './command-line.js';

const INBOUND_STATUS_HOURS = 24;
/** A year. */
const INBOUND_STATUS_HOURS_MAX = 8_760;

/** Adds the commands for messages, replies, opt-outs and webhooks. */
export function addMessageCommands(program: Command, run: RunCommand): void {
  program
    .command('message')
    .description('Shows messages.')
    .command('show <id>')
    .description('Shows a message of any account, with its attempts and the carrier’s id.')
    .action((id: string) => run((get) => get(Messages).findForOperator(id)));
  program
    .command('inbound')
    .description('Shows replies.')
    .command('status')
    .description('Counts the replies that are held now, and the latest ones by their outcome on arrival.')
    .option('--hours <hours>', 'replies of the last hours', upTo(INBOUND_STATUS_HOURS_MAX), INBOUND_STATUS_HOURS)
    .action(({ hours }: { hours: number }) =>
      run(async (get) => ({ hours, ...(await get(ReceivedHistory).countOutcomes(hours)) })),
    );
  addOptOutCommands(program.command('optout').description('Manages opt-outs.'), run);
  addWebhookCommands(program.command('webhook').description("Manages customers' webhooks."), run);
}

function addOptOutCommands(optOut: Command, run: RunCommand): void {
  optOut
    .command('list')
    .description('Lists opt-outs, newest first.')
    .option('--recipient <number>', 'opt-outs of this recipient only', phoneNumber)
    .action(({ recipient }: { recipient?: string }) => run((get) => get(OptOuts).list(recipient)));
  optOut
    .command('lift')
    .description("Removes a recipient's opt-outs. Twilio keeps its own list.")
    .argument('<number>', 'phone number of the recipient', phoneNumber)
    .option('--sender <sender>', 'removes the opt-out from this sender only', sender)
    .action((number: string, options: { sender?: string }) => run((get) => get(OptOuts).lift(number, options.sender)));
}

interface RedeliverOptions {
  readonly account?: string;
  readonly from?: Date;
  readonly to?: Date;
  readonly all?: true;
}

function addWebhookCommands(webhook: Command, run: RunCommand): void {
  webhook
    .command('show <email>')
    .description("Shows the account's webhook, without its secret, and the newest deliveries.")
    .action((email: string) =>
      run(async (get) => {
        const { id } = await get(Accounts).getByEmail(email);
        const { secret: _secret, ...endpoint } = await get(WebhookEndpoints).show(id);
        const { deliveries } = await get(WebhookDeliveries).list(id, {});
        return { ...endpoint, deliveries };
      }),
    );
  webhook
    .command('set <email> <url>')
    .description("Changes the URL of the account's webhook; PUBLIC_URL turns receiving off.")
    .action((email: string, url: string) =>
      run(async (get) => {
        const { id } = await get(Accounts).getByEmail(email);
        await get(WebhookEndpoints).setUrl(id, url, 'operator');
        const { secret: _secret, ...endpoint } = await get(WebhookEndpoints).show(id);
        return { email, ...endpoint };
      }),
    );
  webhook
    .command('disable <email>')
    .description('Turns the webhook off. New events are kept for up to seven days.')
    .action((email: string) =>
      run(async (get) => {
        const { id } = await get(Accounts).getByEmail(email);
        await get(WebhookEndpoints).disable(id);
        return { email, disabled: true };
      }),
    );
  webhook
    .command('enable <email>')
    .description('Turns the webhook on and sends the events that were kept.')
    .action((email: string) =>
      run(async (get) => {
        const { id } = await get(Accounts).getByEmail(email);
        await get(WebhookEndpoints).enable(id, 'operator');
        return { email, disabled: false };
      }),
    );
  webhook
    .command('redeliver')
    .description('Sends one event again, or the failed events of an account in a time range.')
    .argument('[id]', 'id of the event, msg_…')
    .option('--account <email>', 'account, instead of an id')
    .option('--from <instant>', 'start: a date, or an instant in ISO 8601', instant)
    .option('--to <instant>', 'end, exclusive; now by default', instant)
    .option('--all', 'also events that were delivered')
    .action((id: string | undefined, options: RedeliverOptions) => redeliver(run, id, options));
}

function redeliver(
  run: RunCommand,
  id: string | undefined,
  { account, from, to, all }: RedeliverOptions,
): Promise<void> {
  return run(async (get) => {
    const deliveries = get(WebhookDeliveries);
    const isAlone = [account, from, to, all].every((option) => option === undefined);
    if (id !== undefined && isAlone) {
      await deliveries.resend(null, id);
      return deliveries.show(null, id);
    }
    if (id !== undefined || account === undefined || from === undefined)
      throw new DomainError('invalid_request', 'Give an id alone, or --account and --from.');
    if (from >= (to ?? new Date()))
      throw new DomainError('invalid_request', 'Give a --from that is before --to and before now.');
    const { id: accountId } = await get(Accounts).getByEmail(account);
    const range = { from, to: to ?? new Date(), which: all ? ('all' as const) : ('failed' as const) };
    return deliveries.replay(accountId, 'operator', range);
  });
}
