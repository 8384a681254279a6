import { z } from 'zod';
import { carrierNumbers } from '#contract/carrier-codes.js';
import {
  type AvailableNumber,
  type BuyOutcome,
  type CarrierNumber,
  type FoundNumber,
  NumberCarrier,
  type NumberCapabilities,
  type NumberSearch,
  type WantedNumber,
} from '../../numbers/number-carrier.js';
import type { TelnyxConfig } from '../../platform/config/config.js';
import { nationalDigitsOf } from '../../rules/phone-numbers.js';
import { TelnyxApi, TelnyxFailure } from './telnyx-api.js';
import { outcomeOfError } from './telnyx-mapping.js';

/** The maximum of Telnyx. */
const PAGE_SIZE = '250';
/** States of a number that is not ours, or no longer ours. */
const GONE: readonly string[] = ['purchase-failed', 'port-failed', 'deleted', 'ported-out'];

/** Numbers that are examined for a pattern with wildcards. */
const WILDCARD_LIMIT = 100;
/** Maximum of numbers that a search for all digits may list. */
const OFFERED_LISTED = 20;
const NORTH_AMERICA: readonly string[] = ['US', 'CA'];
const KEYPAD: readonly string[] = ['', '', 'ABC', 'DEF', 'GHI', 'JKL', 'MNO', 'PQRS', 'TUV', 'WXYZ'];

// The fields that we use, by Telnyx's API description
// (https://developers.telnyx.com/api-reference/phone-number-search/list-available-phone-numbers,
// …/phone-number-orders/create-a-number-order, …/phone-number-configurations/list-phone-numbers).
const availableNumbers = z.object({
  data: z.array(
    z.object({
      phone_number: z.string(),
      region_information: z.array(z.object({ region_type: z.string(), region_name: z.string() })).catch([]),
      features: z.array(z.object({ name: z.string() })).catch([]),
    }),
  ),
});
const order = z.object({
  id: z.string(),
  status: z.enum(['pending', 'success', 'failure']),
  customer_reference: z.string().nullish(),
  phone_numbers: z.array(z.object({ phone_number: z.string() })),
  requirements_met: z.boolean().nullish(),
});
const ownNumber = z.object({
  id: z.string(),
  phone_number: z.string(),
  status: z.string(),
  customer_reference: z.string().nullish(),
});
const ownNumbers = z.object({
  data: z.array(ownNumber),
  meta: z.object({ page_number: z.number(), total_pages: z.number() }),
});
/** A set of features is null if the number lacks them. */
const features = z.object({ domestic_two_way: z.boolean() }).nullish();
const messagingSettings = z.object({
  data: z.object({
    messaging_profile_id: z.string().nullish(),
    features: z.object({ sms: features, mms: features }).nullish(),
  }),
});

/**
 * Numbers of Telnyx. Its orders are decided later, within seconds for the USA and Canada: `find`
 * follows them by the `customer_reference`, which is our order's name. A number sends and receives
 * messages only with a messaging profile
 * (https://developers.telnyx.com/docs/messaging/messages/phone-number-configuration): the order
 * names our profile, and a number with another profile gets ours before it counts as bought.
 */
export class TelnyxNumbers extends NumberCarrier {
  readonly carrier = carrierNumbers.telnyx;
  private readonly api: TelnyxApi;
  private readonly profileId: string | undefined;

  constructor(settings: TelnyxConfig, timeoutMs: number) {
    super();
    this.api = new TelnyxApi(settings, timeoutMs);
    this.profileId = settings.messagingProfileId;
  }

  async search({ country, type, areaCode, contains, limit }: NumberSearch): Promise<AvailableNumber[]> {
    const pattern = contains === undefined ? '' : keyed(contains);
    const hasWildcard = pattern.includes('*');
    const found = await this.api.call('GET', '/available_phone_numbers', {
      'filter[country_code]': country,
      'filter[phone_number_type]': type,
      'filter[national_destination_code]': areaCode,
      // Telnyx knows no wildcards.
      'filter[phone_number][contains]': pattern.split('*').reduce((a, b) => (b.length > a.length ? b : a)) || undefined,
      'filter[features][]': 'sms',
      // Otherwise Telnyx also lists numbers of other areas where there are few.
      'filter[best_effort]': NORTH_AMERICA.includes(country) ? 'false' : undefined,
      'filter[limit]': String(hasWildcard ? WILDCARD_LIMIT : limit),
    });
    const fits = new RegExp(pattern.replaceAll('*', '\\d'));
    const fitting = availableNumbers.parse(found).data.filter(({ phone_number: number }) => fits.test(number));
    return fitting.slice(0, limit).map(({ phone_number: number, region_information: regions, features: able }) => {
      const region = (wanted: string) => regions.find(({ region_type: kind }) => kind === wanted)?.region_name;
      const locality = [region('location') ?? region('rate_center'), region('state')].filter(Boolean).join(', ');
      return {
        number,
        country: region('country_code') ?? country,
        locality: type === 'toll_free' ? null : locality || null,
        capabilities: capabilitiesOf(able),
      };
    });
  }

  async offered({ number, country, type }: WantedNumber): Promise<NumberCapabilities | undefined> {
    const found = await this.api.call('GET', '/available_phone_numbers', {
      'filter[country_code]': country,
      'filter[phone_number_type]': type,
      'filter[phone_number][contains]': nationalDigitsOf(number),
      'filter[best_effort]': NORTH_AMERICA.includes(country) ? 'false' : undefined,
      'filter[limit]': String(OFFERED_LISTED),
    });
    const offered = availableNumbers.parse(found).data.find((one) => one.phone_number === number);
    return offered && capabilitiesOf(offered.features);
  }

  async buy(number: string, name: string): Promise<BuyOutcome> {
    const body = {
      phone_numbers: [{ phone_number: number }],
      customer_reference: name,
      ...(this.profileId !== undefined && { messaging_profile_id: this.profileId }),
    };
    try {
      const { data } = z.object({ data: order }).parse(await this.api.call('POST', '/number_orders', {}, body));
      return data.status === 'failure' ? { kind: 'refused', carrierError: null } : { kind: 'ordered' };
    } catch (error) {
      return buyOutcomeOf(error);
    }
  }

  async find(name: string): Promise<FoundNumber | undefined> {
    const query = { 'filter[customer_reference]': name };
    const { data: orders } = z
      .object({ data: z.array(order) })
      .parse(await this.api.call('GET', '/number_orders', query));
    const ordered = orders.find(({ customer_reference: reference }) => reference === name);
    if (!ordered) return undefined;
    if (ordered.status === 'failure')
      return { kind: 'failed', reason: ordered.requirements_met === false ? 'refused' : 'not_sold' };
    const [wanted] = ordered.phone_numbers;
    if (ordered.status === 'pending' || !wanted) return { kind: 'ordered' };
    const number = await this.active(wanted.phone_number);
    return number ? { kind: 'bought', bought: await this.configured(number, name) } : { kind: 'ordered' };
  }

  async *all(): AsyncIterable<CarrierNumber> {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const query = { 'page[number]': String(page), 'page[size]': PAGE_SIZE };
      const { data, meta } = ownNumbers.parse(await this.api.call('GET', '/phone_numbers', query));
      // The number's abilities stand elsewhere, and are not needed here.
      const capabilities = { sms: true, mms: false };
      for (const { id, phone_number: number, status, customer_reference: reference } of data)
        if (!GONE.includes(status)) yield { carrierId: id, number, name: reference ?? '', capabilities };
      pages = meta.total_pages;
    }
  }

  async release(carrierId: string): Promise<void> {
    try {
      await this.api.call('DELETE', `/phone_numbers/${encodeURIComponent(carrierId)}`);
    } catch (error) {
      if (!(error instanceof TelnyxFailure && error.status === 404)) throw error;
    }
  }

  async close(): Promise<void> {
    await this.api.close();
  }

  /** A number of our account that works. */
  private async active(number: string): Promise<z.infer<typeof ownNumber> | undefined> {
    const query = { 'filter[phone_number]': number };
    const { data } = ownNumbers.parse(await this.api.call('GET', '/phone_numbers', query));
    return data.find((one) => one.phone_number === number && one.status === 'active');
  }

  /** Gives a number our profile and name unless its order has. Returns its capabilities too. */
  private async configured({ id, phone_number: number, ...has }: z.infer<typeof ownNumber>, name: string) {
    const path = `/phone_numbers/${encodeURIComponent(id)}`;
    if (has.customer_reference !== name) await this.api.call('PATCH', path, {}, { customer_reference: name });
    const profile = { messaging_profile_id: this.profileId };
    let { data } = messagingSettings.parse(await this.api.call('GET', `${path}/messaging`));
    if (this.profileId !== undefined && data.messaging_profile_id !== this.profileId)
      ({ data } = messagingSettings.parse(await this.api.call('PATCH', `${path}/messaging`, {}, profile)));
    const { sms, mms } = data.features ?? {};
    // The search lists only numbers with SMS, so the number has SMS unless Telnyx names it as
    // missing.
    const capabilities = { sms: sms !== null, mms: mms?.domestic_two_way === true };
    return { carrierId: id, number, name, capabilities };
  }
}

function capabilitiesOf(able: readonly { readonly name: string }[]): NumberCapabilities {
  const can = (name: string) => able.some((feature) => feature.name === name);
  return { sms: can('sms'), mms: can('mms') };
}

/** The digits of a phone's keypad for letters. */
function keyed(text: string): string {
  return text.toUpperCase().replaceAll(/[A-Z]/g, (letter) => String(KEYPAD.findIndex((key) => key.includes(letter))));
}

/**
 * Telnyx's reference names no code for an unavailable number. An order refused for neither our
 * account nor its rate is refused for its number: nothing else differs between orders.
 */
function buyOutcomeOf(error: unknown): BuyOutcome {
  const outcome = outcomeOfError(error);
  switch (outcome.kind) {
    case 'refused':
      return { kind: 'taken' };
    case 'suspended':
      return { kind: 'unavailable', cause: error };
    case 'unavailable':
    case 'unknown':
      return { kind: outcome.kind, cause: error };
    case 'accepted':
      return { kind: 'unknown', cause: error };
  }
}
