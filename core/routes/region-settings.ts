import { Injectable, Optional } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type Region, regions } from '#contract/regions.js';
import { Operator } from '../audit/operator.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { regionTable } from '../rules/regions.js';
import { RegionSettingEntity } from './region-setting.entity.js';
import { RouteChangeEntity, type RouteWeights } from './route-change.entity.js';
import { Routes } from './routes.js';

/** Terms of a region that the operator can set. */
export interface RegionTerms {
  readonly active: boolean;
  /** Applies only while the region is active. */
  readonly otp: boolean;
  /** Whether one-time passwords are spoken in calls; applies only while the region is active. */
  readonly voice: boolean;
  /** Price of one segment. */
  readonly credits: number;
}

/** A region as the operator sees it. */
export interface ShownRegion extends RegionTerms, Pick<Region, 'country' | 'code' | 'iso2'> {
  /** Values of a new installation for the terms that were changed; empty without changes. */
  readonly defaults: Partial<RegionTerms>;
  /** Present weights by carrier, null for a paused route; null when every carrier with senders serves it. */
  readonly routes: RouteWeights | null;
  /** Carriers with senders but no route for a region with routes; they get no messages. */
  readonly withoutRoute: readonly string[];
}

/** A change of a region; undefined terms do not change. */
export type RegionChange = { readonly [Term in keyof RegionTerms]?: RegionTerms[Term] | undefined };

/**
 * Sets which countries are served, and at which price. Changes are recorded with changes of routes.
 */
@Injectable()
export class RegionSettings {
  constructor(
    private readonly postgres: Postgres,
    private readonly routes: Routes,
    @Optional() private readonly operator?: Operator,
  ) {}

  /** Lists all regions by name, or the region of a country (ISO 3166-1 alpha-2). */
  async list(iso2?: string): Promise<ShownRegion[]> {
    const [settings, routes] = await Promise.all([
      this.postgres.call((manager) => manager.find(RegionSettingEntity)),
      this.routes.list(),
    ]);
    const table = regionTable(settings);
    return regions
      .filter((region) => iso2 === undefined || region.iso2 === iso2)
      .map((region) => {
        const current = termsOf(table.get(region.iso2) ?? region);
        const ofCountry = routes.find(({ country }) => country === region.iso2);
        const weights = ofCountry?.routes.map(
          ({ carrier, active, manualWeight, weight }) => [carrier, active ? (manualWeight ?? weight) : null] as const,
        );
        const { country, code, iso2: alpha2 } = region;
        return {
          country,
          code,
          iso2: alpha2,
          ...current,
          defaults: differing(termsOf(region), current),
          routes: weights ? Object.fromEntries(weights) : null,
          withoutRoute: ofCountry?.withoutRoute ?? [],
        };
      });
  }

  /**
   * Changes a region and, with `weights`, the resting weights of its routes, in one transaction.
   * Throws `invalid_request` for an active region without an open route, and as `Routes.apply`
   * does.
   */
  async change(iso2: string, change: RegionChange, weights?: ReadonlyMap<string, number>): Promise<ShownRegion[]> {
    const region = regions.find((one) => one.iso2 === iso2);
    if (!region) throw new Error(`No region is of ${iso2}`);
    await this.postgres.transaction(async (tx) => {
      const wanted = [...(weights ?? [])].map(([carrier, weight]) => [carrier, { weight, held: null }] as const);
      await this.routes.applyIn(tx, { [iso2]: { routes: Object.fromEntries(wanted) } });
      const { weights: to, open, closed } = await this.routes.openIn(tx, iso2);
      if (change.active === true) this.assertServed(region, open, closed);
      const { code } = region;
      const known = await tx.find(RegionSettingEntity, { where: { code } });
      const from = termsOf(regionTable(known).get(iso2) ?? region);
      const changed = withChange(from, change);
      if (Object.keys(differing(changed, from)).length === 0) return;
      await store(tx, region, changed);
      const figures = { region: { from, to: changed }, operator: this.operator?.name };
      await tx.insert(RouteChangeEntity, { country: iso2, from: to, to, cause: 'region', figures });
    });
    return this.list(iso2);
  }

  private assertServed({ country, code, iso2 }: Region, open: readonly string[], closed: readonly string[]): void {
    if (open.length > 0) return;
    const [carrier] = this.routes.carriersFor(iso2);
    if (carrier === undefined)
      throw refused(
        `No carrier has a sender for ${country}. Add one to a carrier's senders in the configuration, restart the ` +
          'processes, and repeat the command: docs/routes.md.',
      );
    if (closed.length === 0) return;
    const fix = closed.includes(carrier)
      ? `Open one first: route resume ${iso2} ${carrier}`
      : `Add one: region enable ${code} --routes ${carrier}:100`;
    throw refused(`${country} has no open route, only closed ones by ${closed.join(', ')}. ${fix}`);
  }
}

/** Stores only terms that differ from the region table of the contract. */
async function store(tx: EntityManager, region: Region, terms: RegionTerms): Promise<void> {
  const { code } = region;
  const kept = differing(terms, termsOf(region));
  if (Object.keys(kept).length === 0) await tx.delete(RegionSettingEntity, { code });
  else
    await tx.upsert(
      RegionSettingEntity,
      {
        code,
        active: kept.active ?? null,
        otp: kept.otp ?? null,
        voice: kept.voice ?? null,
        credits: kept.credits ?? null,
      },
      ['code'],
    );
}

function termsOf({ active, otp, voice = false, creditsPerSms: credits }: Region): RegionTerms {
  return { active, otp, voice, credits };
}

function withChange(terms: RegionTerms, { active, otp, voice, credits }: RegionChange): RegionTerms {
  return {
    active: active ?? terms.active,
    otp: otp ?? terms.otp,
    voice: voice ?? terms.voice,
    credits: credits ?? terms.credits,
  };
}

/** Returns the terms that differ from others. */
function differing(terms: RegionTerms, others: RegionTerms): Partial<RegionTerms> {
  return {
    ...(terms.active !== others.active && { active: terms.active }),
    ...(terms.otp !== others.otp && { otp: terms.otp }),
    ...(terms.voice !== others.voice && { voice: terms.voice }),
    ...(terms.credits !== others.credits && { credits: terms.credits }),
  };
}

function refused(detail: string): DomainError {
  return new DomainError('invalid_request', detail);
}
