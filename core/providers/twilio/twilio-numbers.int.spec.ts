import { json, startLocalServer, type LocalServer } from '../../testing/local-server.js';
import { testConfig, testVariables } from '../../testing/test-config.js';
import { TwilioNumbers } from './twilio-numbers.js';

const SID = `PN${'a'.repeat(32)}`;
const NUMBER = '+12125550143';
const account = `/2010-04-01/Accounts/${testVariables.TWILIO_ACCOUNT_SID}`;

/** An IncomingPhoneNumber of Twilio's API. */
const resource = (changes: object = {}) => ({
  sid: SID,
  phone_number: NUMBER,
  friendly_name: 'order',
  capabilities: { voice: true, sms: true, mms: false, fax: false },
  date_created: 'Fri, 20 Nov 2026 12:00:00 +0000',
  date_updated: 'Fri, 20 Nov 2026 12:00:00 +0000',
  ...changes,
});
const bought = { carrierId: SID, number: NUMBER, name: 'order', capabilities: { sms: true, mms: false } };

describe('TwilioNumbers', () => {
  let server: LocalServer;
  let numbers: TwilioNumbers;

  beforeEach(async () => {
    server = await startLocalServer();
    numbers = new TwilioNumbers(testConfig({ TWILIO_API_URL: server.url }));
  });

  afterEach(async () => {
    await numbers.close();
    await server.close();
  });

  const asked = () => new URL(server.requests[0]?.url ?? '', server.url);

  describe('search', () => {
    const available = (changes: object = {}) => ({
      phone_number: NUMBER,
      friendly_name: '(212) 555-0143',
      iso_country: 'US',
      locality: 'New York',
      region: 'NY',
      capabilities: { voice: true, SMS: true, MMS: true, fax: false },
      ...changes,
    });

    it('lists numbers that carry messages and need no address', async () => {
      server.answer = json(200, { available_phone_numbers: [available()] });
      const search = { country: 'US', type: 'local', areaCode: '212', contains: '55', limit: 5 } as const;
      expect(await numbers.search(search)).toEqual([
        {
          number: NUMBER,
          country: 'US',
          locality: 'New York, NY',
          capabilities: { sms: true, mms: true },
        },
      ]);
      expect(asked().pathname).toBe(`${account}/AvailablePhoneNumbers/US/Local.json`);
      expect(Object.fromEntries(asked().searchParams)).toMatchObject({
        AreaCode: '212',
        Contains: '55',
        SmsEnabled: 'true',
        ExcludeAllAddressRequired: 'true',
      });
    });

    it('lists toll-free numbers, which have no place', async () => {
      server.answer = json(200, { available_phone_numbers: [available({ locality: null, region: null })] });
      const [found] = await numbers.search({ country: 'CA', type: 'toll_free', limit: 5 });
      expect(found).toMatchObject({ locality: null });
      expect(asked().pathname).toBe(`${account}/AvailablePhoneNumbers/CA/TollFree.json`);
    });

    it('throws when Twilio cannot be asked', async () => {
      server.answer = json(503, {});
      await expect(numbers.search({ country: 'US', type: 'local', limit: 5 })).rejects.toMatchObject({ status: 503 });
    });
  });

  describe('offered', () => {
    const available = (phone_number: string, capabilities: object) => ({
      phone_number,
      iso_country: 'US',
      locality: null,
      region: null,
      capabilities,
    });

    it('looks the number up by its digits, whatever it can do', async () => {
      const other = available('+12125550144', { voice: true, SMS: true, MMS: true });
      const wanted = { number: NUMBER, country: 'US', type: 'local' } as const;
      server.answer = json(200, {
        available_phone_numbers: [other, available(NUMBER, { voice: true, SMS: false, MMS: false })],
      });
      expect(await numbers.offered(wanted)).toEqual({ sms: false, mms: false });
      expect(asked().pathname).toBe(`${account}/AvailablePhoneNumbers/US/Local.json`);
      expect(Object.fromEntries(asked().searchParams)).toEqual({ Contains: '2125550143', PageSize: '20' });
      server.answer = json(200, { available_phone_numbers: [other] });
      expect(await numbers.offered(wanted)).toBeUndefined();
    });

    it('looks a toll-free number up in its list, and throws when Twilio cannot be asked', async () => {
      const wanted = { number: '+18335550143', country: 'CA', type: 'toll_free' } as const;
      server.answer = json(503, {});
      await expect(numbers.offered(wanted)).rejects.toMatchObject({ status: 503 });
      expect(asked().pathname).toBe(`${account}/AvailablePhoneNumbers/CA/TollFree.json`);
    });
  });

  describe('buy', () => {
    it('names the number after the order, and has replies posted to us', async () => {
      server.answer = json(201, resource());
      expect(await numbers.buy(NUMBER, 'order')).toEqual({ kind: 'bought', bought });
      expect(server.requests[0]).toMatchObject({ method: 'POST', url: `${account}/IncomingPhoneNumbers.json` });
      expect(server.requests[0]?.form).toEqual({
        PhoneNumber: NUMBER,
        FriendlyName: 'order',
        SmsUrl: 'https://pennytext.test/webhooks/twilio/inbound',
        SmsMethod: 'POST',
      });
    });

    it.each([
      [400, 21_422, { kind: 'taken' }],
      [400, 21_421, { kind: 'taken' }],
      [400, 21_631, { kind: 'refused', carrierError: 21_631 }],
      [403, 21_404, { kind: 'refused', carrierError: 21_404 }],
      [429, 20_429, { kind: 'unavailable' }],
      [401, 20_003, { kind: 'unavailable' }],
      [500, 20_500, { kind: 'unknown' }],
      [504, 20_504, { kind: 'unknown' }],
    ])('maps HTTP %i with code %i', async (status, code, outcome) => {
      server.answer = json(status, { code, message: 'no', status });
      expect(await numbers.buy(NUMBER, 'order')).toMatchObject(outcome);
      expect(server.requests).toHaveLength(1);
    });

    it('does not know what became of a purchase whose connection broke, or whose answer is another', async () => {
      server.answer = (response) => response.destroy();
      expect(await numbers.buy(NUMBER, 'order')).toMatchObject({ kind: 'unknown' });
      server.answer = json(200, {});
      expect(await numbers.buy(NUMBER, 'order')).toMatchObject({ kind: 'unknown' });
    });
  });

  describe('find', () => {
    it('asks for the name of the order', async () => {
      server.answer = json(200, { incoming_phone_numbers: [resource()], next_page_uri: null });
      expect(await numbers.find('order')).toEqual({ kind: 'bought', bought });
      expect(asked().searchParams.get('FriendlyName')).toBe('order');
      server.answer = json(200, { incoming_phone_numbers: [], next_page_uri: null });
      expect(await numbers.find('order')).toBeUndefined();
    });

    it('throws when Twilio cannot be asked', async () => {
      server.answer = json(500, {});
      await expect(numbers.find('order')).rejects.toMatchObject({ status: 500 });
    });
  });

  it('lists the numbers of all pages', async () => {
    const page = (sid: string, next: string | null) => ({
      incoming_phone_numbers: [resource({ sid })],
      next_page_uri: next,
    });
    server.answer = (response, request) =>
      json(200, request.url.includes('Page=1') ? page('PN2', null) : page('PN1', `${account}/x.json?Page=1`))(
        response,
        request,
      );
    const found: string[] = [];
    for await (const { carrierId } of numbers.all()) found.push(carrierId);
    expect(found).toEqual(['PN1', 'PN2']);
  });

  describe('release', () => {
    it.each([204, 404])('is done after HTTP %i', async (status) => {
      server.answer = json(status, { code: 20_404, message: 'not found', status });
      await numbers.release(SID);
      expect(server.requests[0]).toMatchObject({
        method: 'DELETE',
        url: `${account}/IncomingPhoneNumbers/${SID}.json`,
      });
    });

    it('throws when Twilio cannot be asked', async () => {
      server.answer = json(503, {});
      await expect(numbers.release(SID)).rejects.toMatchObject({ status: 503 });
    });
  });
});
