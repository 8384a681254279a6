import type { PhoneNumberCapabilities } from 'twilio/lib/interfaces.js';
import type { IncomingPhoneNumberPage } from 'twilio/lib/rest/api/v2010/account/incomingPhoneNumber.js';
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
import { Config } from '../../platform/config/config.js';
import { nationalDigitsOf } from '../../rules/phone-numbers.js';
import { TwilioClient } from './twilio-client.js';
import { outcomeOfError, unlessNotFound } from './twilio-mapping.js';

const PAGE_SIZE = 100;
/** Maximum of numbers that a search for all digits may list. */
const OFFERED_LISTED = 20;
const NUMBER_SID = /^PN[0-9a-f]{32}$/i;
/** https://www.twilio.com/docs/api/errors: the number is not available, or is not for sale. */
const NOT_AVAILABLE: readonly (number | null)[] = [21_422, 21_421];

/** Numbers of Twilio, through Twilio's SDK. */
export class TwilioNumbers extends NumberCarrier {
  readonly carrier = carrierNumbers.twilio;
  private readonly connection: TwilioClient;
  private readonly inboundUrl: string;

  constructor(config: Config) {
    super();
    this.connection = new TwilioClient(config);
    this.inboundUrl = `${config.http.publicUrl}/webhooks/twilio/inbound`;
  }

  async search({ country, type, areaCode, contains, limit }: NumberSearch): Promise<AvailableNumber[]> {
    const lists = this.connection.account.availablePhoneNumbers(country);
    const wanted = {
      smsEnabled: true,
      excludeAllAddressRequired: true,
      limit,
      pageSize: limit,
      ...(areaCode !== undefined && { areaCode: Number(areaCode) }),
      ...(contains !== undefined && { contains }),
    };
    const found = await (type === 'toll_free' ? lists.tollFree.list(wanted) : lists.local.list(wanted));
    return found.map(({ phoneNumber, isoCountry, locality, region, capabilities }) => ({
      number: phoneNumber,
      country: isoCountry,
      locality: [locality, region].filter(Boolean).join(', ') || null,
      capabilities: capabilitiesOf(capabilities),
    }));
  }

  async offered({ number, country, type }: WantedNumber): Promise<NumberCapabilities | undefined> {
    const lists = this.connection.account.availablePhoneNumbers(country);
    // The digits after the calling code, which Twilio finds in any form of the number.
    const wanted = { contains: nationalDigitsOf(number), limit: OFFERED_LISTED, pageSize: OFFERED_LISTED };
    const found = await (type === 'toll_free' ? lists.tollFree.list(wanted) : lists.local.list(wanted));
    const offered = found.find(({ phoneNumber }) => phoneNumber === number);
    return offered && capabilitiesOf(offered.capabilities);
  }

  async buy(number: string, name: string): Promise<BuyOutcome> {
    try {
      const bought = await this.connection.account.incomingPhoneNumbers.create({
        phoneNumber: number,
        friendlyName: name,
        smsUrl: this.inboundUrl,
        smsMethod: 'POST',
      });
      if (NUMBER_SID.test(bought.sid)) return { kind: 'bought', bought: carrierNumberOf(bought) };
      return { kind: 'unknown', cause: new Error('The response names no number') };
    } catch (error) {
      return buyOutcomeOf(error);
    }
  }

  async find(name: string): Promise<FoundNumber | undefined> {
    const [found] = await this.connection.account.incomingPhoneNumbers.list({ friendlyName: name, limit: 1 });
    return found && { kind: 'bought', bought: carrierNumberOf(found) };
  }

  async *all(): AsyncIterable<CarrierNumber> {
    let page: Pick<IncomingPhoneNumberPage, 'instances' | 'nextPageUrl' | 'nextPage'> | undefined =
      await this.connection.account.incomingPhoneNumbers.page({ pageSize: PAGE_SIZE });
    while (page) {
      for (const instance of page.instances) yield carrierNumberOf(instance);
      if (!page.nextPageUrl) return;
      page = await page.nextPage();
    }
  }

  async release(carrierId: string): Promise<void> {
    await unlessNotFound(this.connection.account.incomingPhoneNumbers(carrierId).remove());
  }

  async close(): Promise<void> {
    await this.connection.close();
  }
}

function buyOutcomeOf(error: unknown): BuyOutcome {
  const outcome = outcomeOfError(error);
  switch (outcome.kind) {
    case 'refused':
      return NOT_AVAILABLE.includes(outcome.carrierError) ? { kind: 'taken' } : outcome;
    case 'suspended':
      return { kind: 'unavailable', cause: error };
    case 'unavailable':
    case 'unknown':
      return { kind: outcome.kind, cause: error };
    case 'accepted':
      return { kind: 'unknown', cause: error };
  }
}

function carrierNumberOf({
  sid,
  phoneNumber,
  friendlyName,
  capabilities,
}: {
  readonly sid: string;
  readonly phoneNumber: string;
  readonly friendlyName: string;
  readonly capabilities: PhoneNumberCapabilities;
}): CarrierNumber {
  return { carrierId: sid, number: phoneNumber, name: friendlyName, capabilities: capabilitiesOf(capabilities) };
}

/** Twilio writes the names in upper case for numbers that it sells, and in lower case for ours. */
function capabilitiesOf(capabilities: PhoneNumberCapabilities): NumberCapabilities {
  const can = new Set(Object.entries(capabilities ?? {}).flatMap(([name, able]) => (able ? [name.toLowerCase()] : [])));
  const has = (name: string) => can.has(name);
  return { sms: has('sms'), mms: has('mms') };
}
