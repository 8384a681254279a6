import { Injectable } from '@nestjs/common';
import { limits } from '#contract/limits.js';
import type { AvailableNumbersFilter, AvailableNumberView } from '#contract/numbers.js';
import { Config } from '../platform/config/config.js';
import { Postgres } from '../platform/database/postgres.js';
import { DomainError } from '../platform/errors/domain-error.js';
import { SharedCounters } from '../platform/queue/shared-counters.js';
import { RateLimiter } from '../platform/queue/rate-limiter.js';
import { Logger } from '../platform/telemetry/logger.js';
import { areaCodeOf, countriesSharing, numberForSale, type NumberForSale } from '../rules/numbers.js';
import type { AvailableNumber, NumberCapabilities, NumberCarrier, NumberSearch } from './number-carrier.js';
import { NumberCarriers } from './number-carriers.js';
import { capabilityNames } from './number-views.js';

const WINDOW_SECONDS = 60;
/** Additional numbers to list, because some may rest, or be of no use. */
const LISTED_BESIDE = 10;

/** The numbers among these that an account has, or that rest. Parameter: numbers. */
export const heldNumbersStatement = {
  name: 'numbers-held-1',
  text: `
SELECT DISTINCT number FROM numbers
WHERE number = ANY ($1::text[]) AND (status <> 'released' OR rests_until > now())`,
} as const;

/** Numbers that can be bought, with their prices. */
@Injectable()
export class SearchNumbers {
  private readonly searches: RateLimiter;

  constructor(
    private readonly carriers: NumberCarriers,
    private readonly postgres: Postgres,
    private readonly config: Config,
    private readonly logger: Logger,
    counters: SharedCounters,
  ) {
    this.searches = new RateLimiter(counters, {
      name: 'number-searches',
      points: limits.numberSearchesPerMinuteMax,
      durationSeconds: WINDOW_SECONDS,
    });
  }

  /**
   * Throws `number_unsupported` for a country whose numbers are not sold, `rate_limited`, and
   * `unavailable` when the carrier does not answer.
   */
  async search(accountId: string, filter: AvailableNumbersFilter): Promise<AvailableNumberView[]> {
    const { country, type, area_code: areaCode, contains, limit } = filter;
    if (!this.config.numbers.countries.includes(country)) throw this.notSold(country);
    return this.list(accountId, { country, type, areaCode, contains, limit });
  }

  /**
   * Returns some numbers similar to an unavailable number: of its area, otherwise of its country.
   * Empty after too many searches, or when the carrier does not answer.
   */
  async similar(accountId: string, forSale: NumberForSale): Promise<AvailableNumberView[]> {
    const [country = forSale.country] = this.listsOf(forSale);
    const search = { country, type: forSale.type, limit: limits.similarNumbersMax };
    const areaCode = areaCodeOf(forSale.number);
    try {
      const near = areaCode === undefined ? [] : await this.list(accountId, { ...search, areaCode });
      if (near.length === search.limit) return near;
      const others = (await this.list(accountId, search)).filter((other) =>
        near.every((one) => one.number !== other.number),
      );
      return [...near, ...others].slice(0, search.limit);
    } catch (err) {
      this.logger.info({ err, accountId }, 'carrier not asked for similar numbers');
      return [];
    }
  }

  /**
   * Returns the capabilities of a number to be bought; undefined when the carrier does not offer
   * it. Throws `rate_limited`, and `unavailable` when the carrier does not answer.
   */
  async offered(accountId: string, wanted: NumberForSale): Promise<NumberCapabilities | undefined> {
    const { number, type } = wanted;
    for (const country of this.listsOf(wanted)) {
      const can = await this.ask(accountId, (seller) => seller.offered({ number, country, type }));
      if (can) return can;
    }
    return undefined;
  }

  /**
   * Returns the countries in whose lists a number can be: a toll-free number can be in all that
   * share it.
   */
  private listsOf({ country, type }: NumberForSale): readonly string[] {
    const { countries } = this.config.numbers;
    return type === 'toll_free' ? countriesSharing(country).filter((one) => countries.includes(one)) : [country];
  }

  /**
   * Calls the carrier for an account, within its rate limit. Throws `rate_limited`, `unavailable`.
   */
  private async ask<T>(accountId: string, call: (seller: NumberCarrier) => Promise<T>): Promise<T> {
    const { isOver, resetSeconds: retryAfterSeconds } = await this.searches.take(accountId);
    if (isOver)
      throw new DomainError('rate_limited', 'You searched for numbers very often. You were not charged.', {
        retryAfterSeconds,
      });
    return call(this.carriers.seller).catch((cause: unknown) => {
      throw new DomainError('unavailable', 'The carrier cannot be asked now. You were not charged. Try again.', {
        cause,
        retryAfterSeconds: 5,
      });
    });
  }

  /** Throws `rate_limited`, `unavailable`. */
  private async list(accountId: string, search: NumberSearch): Promise<AvailableNumberView[]> {
    const found = await this.ask(accountId, (seller) =>
      seller.search({ ...search, limit: search.limit + LISTED_BESIDE }),
    );
    const fitting = found.filter((one) => this.fits(one, search));
    const held = await this.held(fitting.map(({ number }) => number));
    const { creditsPerMonth, setupCredits } = this.config.numbers.terms[search.type];
    return fitting
      .filter(({ number }) => !held.has(number))
      .slice(0, search.limit)
      .map(({ number, locality, capabilities }) => ({
        number,
        locality,
        capabilities: capabilityNames(capabilities),
        credits_per_month: creditsPerMonth,
        setup_credits: setupCredits,
      }));
  }

  /** Returns whether a number carries messages, and has the requested country and type. */
  private fits({ number, country, capabilities }: AvailableNumber, search: NumberSearch): boolean {
    const sold = numberForSale(number, this.config.numbers.countries);
    return capabilities.sms && country === search.country && sold?.number === number && sold.type === search.type;
  }

  private async held(numbers: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await this.postgres.query<{ number: string }>(heldNumbersStatement, [numbers]);
    return new Set(rows.map(({ number }) => number));
  }

  private notSold(country: string): DomainError {
    const { countries } = this.config.numbers;
    const sold = countries.length === 0 ? 'No numbers are sold here.' : `They are sold for ${countries.join(', ')}.`;
    return new DomainError('number_unsupported', `Numbers of ${country} are not sold. ${sold}`);
  }
}
