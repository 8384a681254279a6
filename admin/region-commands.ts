import { Option, type Command } from 'commander';
import { limits } from '#contract/limits.js';
import { type RegionChange, RegionSettings } from '#core/routes/region-settings.js';
import { DomainError } from '#core/platform/errors/domain-error.js';
import { country, routeWeights, upTo, WEIGHT_MAX, type RunCommand } from './command-line.js';
import { noteOf } from './route-commands.js';

interface TermOptions {
  readonly credits?: number;
  readonly otp?: 'on' | 'off';
  readonly voice?: 'on' | 'off';
}

interface EnableOptions extends TermOptions {
  readonly routes?: ReadonlyMap<string, number>;
}

/** Adds the commands for countries. docs/routes.md explains them. */
export function addRegionCommands(region: Command, run: RunCommand): void {
  const ofCountry = (name: string, description: string) =>
    region.command(name).description(description).argument('<country>', 'a country, such as FR or FRA', country);
  const withTerms = (command: Command) =>
    command
      .option('--credits <credits>', 'price of a segment in credits', upTo(limits.regionCreditsMax))
      .addOption(new Option('--otp <switch>', 'whether one-time passwords are sent there').choices(['on', 'off']))
      .addOption(
        new Option('--voice <switch>', 'whether one-time passwords are spoken in calls').choices(['on', 'off']),
      );
  region
    .command('list')
    .description('Lists the countries of the region table, their prices and their routes.')
    .action(() => run(async (get) => ({ regions: await get(RegionSettings).list() })));
  ofCountry('show', 'Shows one country.').action((iso2: string) =>
    run(async (get) => ({ regions: await get(RegionSettings).list(iso2) })),
  );
  withTerms(ofCountry('enable', 'Accepts messages to a country.'))
    .option(
      '--routes <carrier:weight...>',
      `weights of its routes from 0 to ${WEIGHT_MAX}, such as telnyx:100; their holds end`,
      routeWeights,
    )
    .action((iso2: string, { routes, ...terms }: EnableOptions) =>
      run(async (get) => {
        const enabled = await get(RegionSettings).change(iso2, { active: true, ...changeOf(terms) }, routes);
        return { regions: enabled, ...noteOf(enabled) };
      }),
    );
  ofCountry('disable', 'Refuses new messages to a country; those that were accepted go out.').action((iso2: string) =>
    run(async (get) => ({ regions: await get(RegionSettings).change(iso2, { active: false }) })),
  );
  withTerms(ofCountry('set', 'Sets the price of a country, and whether one-time passwords are sent there.')).action(
    (iso2: string, terms: TermOptions) =>
      run(async (get) => {
        if (Object.keys(terms).length === 0)
          throw new DomainError('invalid_request', 'Add --credits, --otp or --voice.');
        return { regions: await get(RegionSettings).change(iso2, changeOf(terms)) };
      }),
  );
}

function changeOf({ credits, otp, voice }: TermOptions): RegionChange {
  return { credits, otp: otp && otp === 'on', voice: voice && voice === 'on' };
}
