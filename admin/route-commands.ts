import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { ALL, parseRouteFile, type RouteFile } from '#core/routes/route-file.js';
import { type ApplyOptions, Routes } from '#core/routes/routes.js';
import { parsePrices } from '#core/rules/route-prices.js';
import { country, type Get, rowId, upTo, type RunCommand } from './command-line.js';

const CHANGES = 50;
const CHANGES_MAX = 1_000;

interface Certainty {
  readonly yes?: boolean;
}

/** Adds the commands for routes. docs/routes.md explains when to use each. */
export function addRouteCommands(route: Command, run: RunCommand): void {
  const ofOne = (name: string, description: string) =>
    route.command(name).description(description).argument('[country]', 'a country, such as US or USA', country);
  const withYes = (command: Command) =>
    command.option('--yes', 'pauses the last open route too: messages to the country are refused then');
  const pausing = (name: string, description: string) =>
    route
      .command(name)
      .description(description)
      .argument('<country>', 'a country, such as US or USA, or all', (text) => (text === ALL ? text : country(text)))
      .argument('<carrier>', 'name of the carrier, such as twilio');
  ofOne('list', 'Lists the routes of all countries, or of one, with their present weights.').action((chosen?: string) =>
    run(async (get) => ({ countries: await get(Routes).list(chosen === undefined ? undefined : [chosen]) })),
  );
  ofOne('show', 'Prints the settings of all routes, or of one country’s, as a file for "route apply".').action(
    (chosen?: string) => run((get) => get(Routes).show(chosen)),
  );
  withYes(route.command('apply'))
    .description('Sets what a file names, all of it or nothing, and prints the difference.')
    .argument('<file>', 'path of the file, or - for the input')
    .option('--dry-run', 'prints the difference, and changes nothing')
    .action((file: string, { yes = false, dryRun = false }: Certainty & { readonly dryRun?: boolean }) =>
      run((get) => applied(get, parseRouteFile(textOf(file)), { isCertain: yes, isDryRun: dryRun })),
    );
  withYes(
    pausing('pause', 'Lets new messages leave by the other routes; those that were accepted still leave by this one.'),
  ).action((chosen: string, carrier: string, { yes = false }: Certainty) =>
    run(async (get) => applied(get, await pausedFile(get, chosen, carrier, true), { isCertain: yes })),
  );
  pausing('resume', 'Opens a paused route.').action((chosen: string, carrier: string) =>
    run(async (get) => applied(get, await pausedFile(get, chosen, carrier, false))),
  );
  route
    .command('prices')
    .description('Prints a price list as a file for "route apply": CSV, country,carrier,cost in US dollars a segment.')
    .argument('<file>', 'path of the file, or - for the input')
    .action((file: string) => run(async () => pricesFile(textOf(file))));
  addHistory(route, run);
}

/** Applies a file, and returns the difference with what the operator should know about it. */
async function applied(get: Get, file: RouteFile, options: ApplyOptions = {}): Promise<object> {
  const changes = await get(Routes).apply(file, options);
  if (changes.length === 0) return { changes, note: 'Nothing changes: the routes are set like this.' };
  if (options.isDryRun) return { changes, note: 'Nothing was changed: this is a dry run.' };
  return { changes, ...noteOf(await get(Routes).list(changes.map((change) => change.country))) };
}

/** Returns a file that pauses or opens a carrier's route of a country, or all its routes. */
async function pausedFile(get: Get, chosen: string, carrier: string, paused: boolean): Promise<RouteFile> {
  const settings = { routes: { [carrier]: { paused } } };
  if (chosen !== ALL) return { [chosen]: settings };
  const countries = (await get(Routes).list()).filter(({ routes }) => routes.some((one) => one.carrier === carrier));
  if (countries.length === 0) throw new DomainError('invalid_request', `No country has a route by ${carrier}.`);
  return Object.fromEntries(countries.map((one) => [one.country, settings]));
}

function pricesFile(text: string): RouteFile {
  const prices = parsePrices(text);
  const routesOf = (iso2: string) =>
    prices
      .filter((price) => price.country === iso2)
      .map(({ carrier, costMicrousd }) => [carrier, { cost_microusd: costMicrousd }] as const);
  return Object.fromEntries(
    prices.map((price) => [price.country, { routes: Object.fromEntries(routesOf(price.country)) }] as const),
  );
}

/** Reads a file, or the input for `-`. Throws `invalid_request`. */
function textOf(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (cause) {
    throw new DomainError('invalid_request', `There is no file to read at ${file}. - is the input.`, { cause });
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
