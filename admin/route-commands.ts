import { readFileSync } from 'node:fs';
import { Argument, InvalidArgumentError, Option, type Command } from 'commander';
import { receiptLevels, type ReceiptLevel } from '#contract/messages.js';
import { Routes, type Countries } from '#core/routes/routes.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { COST_USD_MAX, parsePrices } from '#core/rules/route-prices.js';
import { routeModes, senderPolicies, type RouteMode, type SenderPolicy } from '#core/rules/routes.js';
import { country, rowId, routeWeights, upTo, WEIGHT_MAX, whole, type RunCommand } from './command-line.js';

const CHANGES = 50;
const CHANGES_MAX = 1_000;
const COUNTRY = 'a country, such as US or USA, or all';

interface TermOptions {
  readonly cost?: number;
  readonly senders?: SenderPolicy;
  readonly receipts?: ReceiptLevel;
}

/** Adds the commands for routes. docs/routes.md explains when to use each. */
export function addRouteCommands(route: Command, run: RunCommand): void {
  const ofRoute = (name: string, description: string) =>
    route
      .command(name)
      .description(description)
      .argument('<country>', COUNTRY, countries)
      .argument('<carrier>', 'name of the carrier, such as twilio');
  route
    .command('list')
    .description('Lists the routes of all countries, or of one, with their weights.')
    .argument('[country]', 'a country, such as US or USA', country)
    .action((chosen?: string) =>
      run(async (get) => ({ countries: await get(Routes).list(chosen === undefined ? undefined : [chosen]) })),
    );
  route
    .command('weight')
    .description('Sets how many of a country’s new conversations each carrier gets, in proportion. Adds routes.')
    .argument('<country>', COUNTRY, countries)
    .argument('<carrier:weight...>', `such as twilio:90 telnyx:10; weights from 0 to ${WEIGHT_MAX}`, routeWeights)
    .option('--hold', 'holds these weights until "route release"; the resting ones stay')
    .action((chosen: Countries, shares: ReadonlyMap<string, number>, { hold = false }: { hold?: boolean }) =>
      run(async (get) => {
        const changed = await get(Routes).weigh(chosen, shares, hold);
        return { countries: changed, ...noteOf(changed) };
      }),
    );
  route
    .command('release')
    .description('Returns a country from held weights to the resting ones.')
    .argument('<country>', COUNTRY, countries)
    .action((chosen: Countries) => run(async (get) => ({ countries: await get(Routes).release(chosen) })));
  ofRoute('pause', 'Lets new messages leave by the other routes; those that were accepted still leave by this one.')
    .option('--yes', 'also the last open route: messages to the country are refused then')
    .action((chosen: Countries, carrier: string, { yes = false }: { yes?: boolean }) =>
      run(async (get) => ({ countries: await get(Routes).pause(chosen, carrier, yes) })),
    );
  ofRoute('resume', 'Opens a paused route.').action((chosen: Countries, carrier: string) =>
    run(async (get) => ({ countries: await get(Routes).resume(chosen, carrier) })),
  );
  ofRoute('set', 'Sets what a route costs, whose senders it uses, and what its receipts prove.')
    .option(
      '--cost <microusd>',
      `cost of a segment in millionths of a US dollar, up to ${COST_MICROUSD_MAX}`,
      segmentCost,
    )
    .addOption(new Option('--senders <which>', 'any, or those for the country alone').choices(senderPolicies))
    .addOption(new Option('--receipts <level>', 'what a receipt proves').choices(receiptLevels))
    .action((chosen: Countries, carrier: string, { cost, senders, receipts }: TermOptions) =>
      run(async (get) => {
        if (cost === undefined && senders === undefined && receipts === undefined)
          throw new DomainError('invalid_request', 'Add --cost, --senders or --receipts.');
        const terms = { costMicrousd: cost, senderPolicy: senders, receiptLevel: receipts };
        return { countries: await get(Routes).setTerms(chosen, carrier, terms) };
      }),
    );
  route
    .command('mode')
    .description('Sets how the route of a new conversation is chosen.')
    .argument('<country>', COUNTRY, countries)
    .addArgument(new Argument('<mode>').choices(routeModes))
    .action((chosen: Countries, mode: RouteMode) =>
      run(async (get) => ({ countries: await get(Routes).setMode(chosen, mode) })),
    );
  addPrices(route, run);
  addHistory(route, run);
}

function addPrices(route: Command, run: RunCommand): void {
  route
    .command('prices')
    .description('Sets what carriers charge.')
    .command('load')
    .description('Sets the costs of routes from a CSV file, country,carrier,cost in US dollars a segment; all or none.')
    .argument('<file>', 'path of the file')
    .option('--dry-run', 'shows what would change, and changes nothing')
    .action((file: string, { dryRun = false }: { dryRun?: boolean }) =>
      run(async (get) => get(Routes).loadPrices(parsePrices(textOf(file)), dryRun)),
    );
}

/** Reads a file. Throws `invalid_request`. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new DomainError('invalid_request', `There is no file to read at ${file}. /dev/stdin is the input.`, {
      cause,
    });
  }
}

function addHistory(route: Command, run: RunCommand): void {
  route
    .command('history')
    .description('Lists decisions about routes, newest first. A weight of null is a paused route.')
    .argument('[country]', 'a country, such as US or USA', country)
    .option('--before <id>', 'decisions before this one, to continue a list', rowId)
    .option('--entries <entries>', `number of decisions, up to ${CHANGES_MAX}`, upTo(CHANGES_MAX), CHANGES)
    .action((chosen: string | undefined, { before, entries }: { before?: number; entries: number }) =>
      run(async (get) => ({
        changes: await get(Routes).history({ country: chosen, beforeId: before, entriesMax: entries }),
      })),
    );
}

/** States which carriers get no messages to some countries, because they have no route there. */
export function noteOf(changed: readonly { readonly country: string; readonly withoutRoute: readonly string[] }[]): {
  readonly note?: string;
} {
  const names = [...new Set(changed.flatMap(({ withoutRoute }) => withoutRoute))];
  if (names.length === 0) return {};
  const sentences = names.map((name) => {
    const without = changed.filter(({ withoutRoute }) => withoutRoute.includes(name));
    return `${name} has no route, and gets no messages, to ${without.map((one) => one.country).join(', ')}.`;
  });
  return { note: sentences.join(' ') };
}

/** A higher cost is probably in another unit. */
const COST_MICROUSD_MAX = COST_USD_MAX * 1_000_000;

function segmentCost(text: string): number {
  const microusd = whole(text);
  if (microusd > COST_MICROUSD_MAX)
    throw new InvalidArgumentError(`Give a whole number from 0 to ${COST_MICROUSD_MAX}.`);
  return microusd;
}

/** Parses a country, or all of them. */
function countries(text: string): Countries {
  return text === 'all' ? text : [country(text)];
}
