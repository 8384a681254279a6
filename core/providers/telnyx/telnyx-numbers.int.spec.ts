import { readEnv } from '../../../sandbox/env.js';
import { startSandbox, type RunningSandbox } from '../../../sandbox/sandbox.js';
import { eventually } from '../../testing/eventually.js';
import { json, startLocalServer, type LocalServer } from '../../testing/local-server.js';
import { TelnyxNumbers } from './telnyx-numbers.js';

const NUMBER = '+12125550143';
const PROFILE = '83d2343b-553f-4c5b-b8c8-fd27004f94bf';
const ORDER_ID = '12ade33a-21c0-473b-b055-b3c836e1c292';
const TIMEOUT_MS = 5_000;

/** An order of Telnyx's API. */
const order = (changes: object = {}) => ({
  id: ORDER_ID,
  record_type: 'number_order',
  status: 'success',
  customer_reference: 'order',
  requirements_met: true,
  phone_numbers: [{ id: 'dc8e4d67-33a0-4cbb-af74-7b58f05bd494', phone_number: NUMBER }],
  ...changes,
});
/** A phone number of Telnyx's API. */
const owned = (changes: object = {}) => ({
  id: '1293384261075731499',
  phone_number: NUMBER,
  status: 'active',
  customer_reference: 'order',
  ...changes,
});
const able = { domestic_two_way: true, international_inbound: true, international_outbound: true };
const settings = (changes: object = {}) => ({
  data: { messaging_profile_id: PROFILE, features: { sms: able, mms: able }, ...changes },
});
const listOf = (...data: object[]) => ({ data, meta: { page_number: 1, total_pages: 1 } });
const failure = (code: string) => ({ errors: [{ code, title: 'No', detail: 'no' }] });

describe('TelnyxNumbers', () => {
  let server: LocalServer;
  let numbers: TelnyxNumbers;

  const numbersAt = (apiUrl: string, messagingProfileId: string | undefined = PROFILE) =>
    new TelnyxNumbers({ apiKey: 'KEY0123', publicKey: '', apiUrl, messagingProfileId }, TIMEOUT_MS);

  beforeEach(async () => {
    server = await startLocalServer();
    numbers = numbersAt(server.url);
  });

  afterEach(async () => {
    await numbers.close();
    await server.close();
  });

  const asked = (index = 0) => new URL(server.requests[index]?.url ?? '', server.url);
  /** Answers by the path of the request. */
  const answering = (answers: Readonly<Record<string, object>>) => {
    server.answer = (response, request) => {
      const path = new URL(request.url, server.url).pathname;
      const found = answers[`${request.method} ${path}`];
      json(found ? 200 : 404, found ?? {})(response, request);
    };
  };
  const calls = () => server.requests.map(({ method, url }) => `${method} ${new URL(url, server.url).pathname}`);

  describe('search', () => {
    const available = (phone_number: string, changes: object = {}) => ({
      phone_number,
      region_information: [
        { region_type: 'country_code', region_name: 'US' },
        { region_type: 'rate_center', region_name: 'NEW YORK' },
        { region_type: 'location', region_name: 'New York' },
        { region_type: 'state', region_name: 'NY' },
      ],
      features: [{ name: 'sms' }, { name: 'voice' }],
      ...changes,
    });

    it('lists numbers that carry messages', async () => {
      server.answer = json(200, { data: [available(NUMBER)] });
      const search = { country: 'US', type: 'local', areaCode: '212', contains: '55', limit: 5 } as const;
      expect(await numbers.search(search)).toEqual([
        {
          number: NUMBER,
          country: 'US',
          locality: 'New York, NY',
          capabilities: { sms: true, mms: false },
        },
      ]);
      expect(server.requests[0]).toMatchObject({ method: 'GET', authorization: 'Bearer KEY0123' });
      expect(asked().pathname).toBe('/v2/available_phone_numbers');
      expect(Object.fromEntries(asked().searchParams)).toEqual({
        'filter[country_code]': 'US',
        'filter[phone_number_type]': 'local',
        'filter[national_destination_code]': '212',
        'filter[phone_number][contains]': '55',
        'filter[features][]': 'sms',
        'filter[best_effort]': 'false',
        'filter[limit]': '5',
      });
    });

    it('looks for letters as digits, and for wildcards by itself', async () => {
      server.answer = json(200, {
        data: ['+12122441000', '+12122551000', '+12122442000'].map((one) => available(one)),
      });
      const find = async (contains: string, limit = 5) =>
        (await numbers.search({ country: 'US', type: 'local', contains, limit })).map(({ number }) => number);
      expect(await find('2h*1')).toEqual(['+12122441000']);
      expect(await find('1*244')).toEqual(['+12122441000', '+12122442000']);
      expect(await find('1*244', 1)).toEqual(['+12122441000']);
      const given = ['filter[phone_number][contains]', 'filter[limit]'].map((name) => asked(1).searchParams.get(name));
      expect([asked(0).searchParams.get('filter[phone_number][contains]'), ...given]).toEqual(['24', '244', '100']);
    });

    it('lists toll-free numbers, which have no place', async () => {
      server.answer = json(200, { data: [available('+18332345678')] });
      const [found] = await numbers.search({ country: 'CA', type: 'toll_free', limit: 5 });
      expect(found).toMatchObject({ locality: null });
      expect(asked().searchParams.get('filter[phone_number_type]')).toBe('toll_free');
    });

    it('throws when Telnyx cannot be asked', async () => {
      server.answer = json(503, {});
      await expect(numbers.search({ country: 'US', type: 'local', limit: 5 })).rejects.toMatchObject({ status: 503 });
    });
  });

  describe('offered', () => {
    const wanted = { number: NUMBER, country: 'US', type: 'local' } as const;

    it('looks the number up by its digits, whatever it can do', async () => {
      const other = { phone_number: '+12125550144', features: [{ name: 'sms' }] };
      server.answer = json(200, { data: [other, { phone_number: NUMBER, features: [{ name: 'voice' }] }] });
      expect(await numbers.offered(wanted)).toEqual({ sms: false, mms: false });
      expect(asked().pathname).toBe('/v2/available_phone_numbers');
      expect(Object.fromEntries(asked().searchParams)).toEqual({
        'filter[country_code]': 'US',
        'filter[phone_number_type]': 'local',
        'filter[phone_number][contains]': '2125550143',
        'filter[best_effort]': 'false',
        'filter[limit]': '20',
      });
      server.answer = json(200, { data: [other] });
      expect(await numbers.offered(wanted)).toBeUndefined();
    });

    it('throws when Telnyx cannot be asked', async () => {
      server.answer = json(503, {});
      await expect(numbers.offered(wanted)).rejects.toMatchObject({ status: 503 });
    });
  });

  describe('buy', () => {
    it.each(['pending', 'success'])('orders the number by our name and with our profile: %s', async (status) => {
      server.answer = json(200, { data: order({ status }) });
      expect(await numbers.buy(NUMBER, 'order')).toEqual({ kind: 'ordered' });
      expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/v2/number_orders' });
      expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
        phone_numbers: [{ phone_number: NUMBER }],
        customer_reference: 'order',
        messaging_profile_id: PROFILE,
      });
    });

    it('is refused by an order that has failed at once', async () => {
      server.answer = json(200, { data: order({ status: 'failure' }) });
      expect(await numbers.buy(NUMBER, 'order')).toEqual({ kind: 'refused', carrierError: null });
    });

    it.each([
      [400, '10015', { kind: 'taken' }],
      [422, '85001', { kind: 'taken' }],
      [429, '10011', { kind: 'unavailable' }],
      [401, '10009', { kind: 'unavailable' }],
      [403, '10010', { kind: 'unavailable' }],
      [402, '20100', { kind: 'unavailable' }],
      [500, '10007', { kind: 'unknown' }],
      [504, '10007', { kind: 'unknown' }],
    ])('maps HTTP %i with code %s', async (status, code, outcome) => {
      server.answer = json(status, failure(code));
      expect(await numbers.buy(NUMBER, 'order')).toMatchObject(outcome);
      expect(server.requests).toHaveLength(1);
    });

    it('does not know what became of an order whose connection broke, or whose answer is another', async () => {
      server.answer = (response) => response.destroy();
      expect(await numbers.buy(NUMBER, 'order')).toMatchObject({ kind: 'unknown' });
      server.answer = json(200, {});
      expect(await numbers.buy(NUMBER, 'order')).toMatchObject({ kind: 'unknown' });
      server.answer = (response) => response.writeHead(502).end('<html>Bad Gateway</html>');
      expect(await numbers.buy(NUMBER, 'order')).toMatchObject({ kind: 'unknown' });
    });

    it('is unavailable when nothing can have left', async () => {
      const nowhere = numbersAt('http://127.0.0.1:1');
      expect(await nowhere.buy(NUMBER, 'order')).toMatchObject({ kind: 'unavailable' });
      await nowhere.close();
    });
  });

  describe('find', () => {
    const path = '/v2/phone_numbers/1293384261075731499';
    const bought = (capabilities: object = {}) => ({
      kind: 'bought',
      bought: {
        carrierId: '1293384261075731499',
        number: NUMBER,
        name: 'order',
        capabilities: { sms: true, mms: true, ...capabilities },
      },
    });
    const complete = {
      'GET /v2/number_orders': listOf(order()),
      'GET /v2/phone_numbers': listOf(owned()),
      [`GET ${path}/messaging`]: settings(),
    };

    it('has the number of an order that succeeded, and what it can do', async () => {
      answering(complete);
      expect(await numbers.find('order')).toEqual(bought());
      expect(asked().searchParams.get('filter[customer_reference]')).toBe('order');
      expect(asked(1).searchParams.get('filter[phone_number]')).toBe(NUMBER);
      expect(calls()).toEqual(['GET /v2/number_orders', 'GET /v2/phone_numbers', `GET ${path}/messaging`]);
    });

    it.each([
      [{ sms: able, mms: null }, { mms: false }],
      [
        { sms: null, mms: null },
        { sms: false, mms: false },
      ],
      [null, { mms: false }],
    ])('reads the features %j', async (features, capabilities) => {
      answering({ ...complete, [`GET ${path}/messaging`]: settings({ features }) });
      expect(await numbers.find('order')).toEqual(bought(capabilities));
    });

    it('gives the number our profile and name where the order did not', async () => {
      answering({
        ...complete,
        'GET /v2/phone_numbers': listOf(owned({ customer_reference: null })),
        [`PATCH ${path}`]: { data: owned() },
        [`GET ${path}/messaging`]: settings({ messaging_profile_id: null }),
        [`PATCH ${path}/messaging`]: settings(),
      });
      expect(await numbers.find('order')).toEqual(bought());
      const changes = server.requests.filter(({ method }) => method === 'PATCH');
      expect(changes.map(({ body }) => JSON.parse(body) as object)).toEqual([
        { customer_reference: 'order' },
        { messaging_profile_id: PROFILE },
      ]);
    });

    it.each([
      ['is pending', { 'GET /v2/number_orders': listOf(order({ status: 'pending' })) }],
      ['has no number yet', { 'GET /v2/phone_numbers': listOf() }],
      ['has one that does not work yet', { 'GET /v2/phone_numbers': listOf(owned({ status: 'purchase-pending' })) }],
      ['has another one', { 'GET /v2/phone_numbers': listOf(owned({ phone_number: `${NUMBER}0` })) }],
    ])('waits for an order that %s', async (_title, answers) => {
      answering({ ...complete, ...answers });
      expect(await numbers.find('order')).toEqual({ kind: 'ordered' });
    });

    it.each([
      [true, 'not_sold'],
      [false, 'refused'],
    ])('tells that the order has failed: requirements met is %s', async (requirements_met, reason) => {
      answering({ 'GET /v2/number_orders': listOf(order({ status: 'failure', requirements_met })) });
      expect(await numbers.find('order')).toEqual({ kind: 'failed', reason });
    });

    it('has nothing without an order of exactly this name', async () => {
      answering({ 'GET /v2/number_orders': listOf(order({ customer_reference: 'order 2' })) });
      expect(await numbers.find('order')).toBeUndefined();
    });

    it('throws when Telnyx cannot be asked', async () => {
      server.answer = json(500, {});
      await expect(numbers.find('order')).rejects.toMatchObject({ status: 500 });
    });
  });

  it('lists the numbers of all pages but those that are not ours any more', async () => {
    const pages = [
      [owned({ id: '1' }), owned({ id: '2', status: 'deleted' })],
      [owned({ id: '3', customer_reference: null, status: 'purchase-pending' })],
    ];
    server.answer = (response, request) => {
      const page = Number(new URL(request.url, server.url).searchParams.get('page[number]'));
      json(200, { data: pages[page - 1], meta: { page_number: page, total_pages: 2 } })(response, request);
    };
    const found: [string, string][] = [];
    for await (const { carrierId, name } of numbers.all()) found.push([carrierId, name]);
    expect(found).toEqual([
      ['1', 'order'],
      ['3', ''],
    ]);
  });

  describe('release', () => {
    it.each([200, 404])('is done after HTTP %i', async (status) => {
      server.answer = json(status, failure('10005'));
      await numbers.release('1293384261075731499');
      expect(server.requests[0]).toMatchObject({ method: 'DELETE', url: '/v2/phone_numbers/1293384261075731499' });
    });

    it('throws when Telnyx cannot be asked', async () => {
      server.answer = json(503, {});
      await expect(numbers.release('1')).rejects.toMatchObject({ status: 503 });
    });
  });

  describe('at the sandbox', () => {
    let sandbox: RunningSandbox;
    let there: TelnyxNumbers;

    beforeAll(async () => {
      sandbox = await startSandbox({ receiptDelayMs: 40 });
      const { telnyxApiKey: apiKey } = readEnv({});
      const account = { apiKey, publicKey: '', apiUrl: sandbox.url, messagingProfileId: PROFILE };
      there = new TelnyxNumbers(account, TIMEOUT_MS);
    });

    afterEach(() => control('reset', {}));

    afterAll(async () => {
      await there?.close();
      await sandbox?.close();
    });

    const control = (path: string, body: object) =>
      fetch(`${sandbox.url}/_control/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const fault = (mode: string, more: object = {}) =>
      control('faults', { service: 'numbers', mode, count: 1, ...more });
    const firstFree = async () =>
      (await there.search({ country: 'US', type: 'local', areaCode: '212', limit: 1 }))[0]?.number ?? '';
    const ends = async (name: string, kind: string) => {
      await eventually(`${name} is ${kind}`, async () => (await there.find(name))?.kind === kind);
      return there.find(name);
    };
    const owners = async () => {
      const found: string[] = [];
      for await (const { name } of there.all()) found.push(name);
      return found;
    };

    it('buys, finds, lists and releases', async () => {
      const number = await firstFree();
      expect(number).toMatch(/^\+1212/);
      expect(await there.buy(number, 'order 1')).toEqual({ kind: 'ordered' });
      expect(await there.find('order 1')).toEqual({ kind: 'ordered' });
      expect(await there.buy(number, 'order 2')).toEqual({ kind: 'taken' });
      const found = await ends('order 1', 'bought');
      expect(found).toMatchObject({ bought: { number, capabilities: { sms: true, mms: true } } });
      expect(await owners()).toEqual(['order 1']);
      const carrierId = found?.kind === 'bought' ? found.bought.carrierId : '';
      await there.release(carrierId);
      await there.release(carrierId);
      expect([await owners(), await firstFree()]).toEqual([[], number]);
    });

    it.each([
      ['order-failure', { kind: 'failed', reason: 'not_sold' }],
      ['other-country', { kind: 'failed', reason: 'refused' }],
    ])('%s: the order fails, and the number stays free', async (mode, outcome) => {
      const number = await firstFree();
      await fault(mode);
      expect(await there.buy(number, 'order')).toEqual({ kind: 'ordered' });
      expect(await ends('order', 'failed')).toEqual(outcome);
      expect([await owners(), await firstFree()]).toEqual([[], number]);
    });

    it.each(['lost-answer', 'accepted-then-5xx'])('%s: the order is found by its name', async (mode) => {
      await fault(mode);
      expect(await there.buy(await firstFree(), 'order')).toMatchObject({ kind: 'unknown' });
      await ends('order', 'bought');
    });

    it('order-pending: the order stays pending for the delay', async () => {
      const delayMs = 500;
      await fault('order-pending', { delayMs });
      const startedMs = performance.now();
      await there.buy(await firstFree(), 'order');
      await ends('order', 'bought');
      expect(performance.now() - startedMs).toBeGreaterThan(delayMs - 50);
    });

    it.each([
      ['taken', 'taken'],
      ['refuse', 'unavailable'],
      ['suspended', 'unavailable'],
      ['429', 'unavailable'],
      ['500', 'unknown'],
    ])('%s: the outcome is %s, and nothing is bought', async (mode, kind) => {
      const number = await firstFree();
      await fault(mode);
      expect(await there.buy(number, 'order')).toMatchObject({ kind });
      expect(await there.find('order')).toBeUndefined();
    });

    it('no-sms: the number carries no messages', async () => {
      const number = await firstFree();
      await fault('no-sms');
      await there.buy(number, 'order');
      expect(await ends('order', 'bought')).toMatchObject({ bought: { capabilities: { sms: false, mms: false } } });
    });
  });
});
