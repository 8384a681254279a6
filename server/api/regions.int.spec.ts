import { regions } from '#contract/regions.js';
import { PreviewDraft } from '#core/messages/send/preview-draft.js';
import { RegionSettings } from '#core/routes/region-settings.js';
import { moneyFaults, moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const FRENCH = '+33612345678';
const FOLLOWS_WITHIN_MS = 2_000;

describe('what the operator sets of a country', () => {
  let bed: TestBed;
  let server: TestServer;
  let other: TestServer;
  let account: TestAccount;
  let laterMs = 0;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config({ TWILIO_VOICE_NUMBER: '+15005550006' }));
    other = await createTestServer(bed.config());
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + laterMs);
  });

  beforeEach(async () => {
    await bed.database.sql('DELETE FROM region_settings');
    laterMs += FOLLOWS_WITHIN_MS;
    account = await createTestAccount(server);
  });

  afterEach(async () => {
    expect(await moneyFaults(bed.database)).toEqual([]);
  });

  afterAll(async () => {
    jest.restoreAllMocks();
    await other?.close();
    await server?.close();
    await bed?.remove();
  });

  const set = async (iso2: string, change: { active?: boolean; otp?: boolean; voice?: boolean; credits?: number }) => {
    await server.get(RegionSettings).change(iso2, change);
    laterMs += FOLLOWS_WITHIN_MS;
  };
  const post = async (url: string, body: object, through = server) => {
    const payload = { to: FRENCH, apikey: account.apiKey, ...body };
    const { statusCode, body: text } = await through.inject({ method: 'POST', url, payload });
    return {
      statusCode,
      ...(JSON.parse(text) as { code?: string; credits?: number; quote?: string; detail?: string }),
    };
  };
  const send = (body: object = {}, through = server) => post('/api/sendsms', { message: 'Salut', ...body }, through);
  const table = async (through = server) => {
    const { regions: rows } = (await through.inject({ method: 'GET', url: '/api/regions' })).json<{
      regions: { iso2: string; credits_per_sms: number; active: boolean; otp: boolean; voice: boolean }[];
    }>();
    return rows;
  };
  const france = async (through = server) => (await table(through)).find(({ iso2 }) => iso2 === 'FR');

  it('is the table of the contract until something is set', async () => {
    expect(await table()).toEqual(
      regions.map(({ country, code, iso2, areaCode, creditsPerSms, active, otp }) => ({
        country,
        code,
        iso2,
        area_code: areaCode,
        credits_per_sms: creditsPerSms,
        active,
        otp,
        voice: false,
      })),
    );
    expect(await send()).toMatchObject({ code: 'region_inactive', detail: 'Messages to France are not offered yet.' });
  });

  it('opens a country at its price in every process within two seconds, and closes it again', async () => {
    await set('FR', { active: true, credits: 6 });
    for (const through of [server, other]) {
      expect(await send({}, through)).toMatchObject({ statusCode: 200, credits: 6 });
      expect(await france(through)).toMatchObject({ credits_per_sms: 6, active: true });
      const bulk = { messages: [{ to: FRENCH, message: 'Un' }], to: undefined };
      expect(await post('/api/sendbulk', bulk, through)).toMatchObject({ statusCode: 200, credits: 6 });
      expect(await post('/api/quote', { message: 'Salut' }, through)).toMatchObject({ credits: 6 });
    }
    await set('FR', { active: false });
    for (const through of [server, other]) {
      expect(await send({}, through)).toMatchObject({ code: 'region_inactive' });
      expect(await post('/api/quote', { message: 'Salut' }, through)).toMatchObject({ code: 'region_inactive' });
      expect(await france(through)).toMatchObject({ active: false });
    }
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 100 - 4 * 6, messages: 4 });
  });

  it('shows in the price of a draft and in what leaked keys could spend', async () => {
    const shown = async () => {
      const draft = { accountId: account.id, to: FRENCH, text: 'Salut', address: '127.0.0.1' };
      const { active, creditsPerSms, credits, faults } = await server.get(PreviewDraft).of(draft);
      const exposure = await server.inject({ method: 'GET', url: `/api/exposure?apikey=${account.apiKey}` });
      const { credits_per_message: dearest } = exposure.json<{ credits_per_message: number }>();
      return { active, creditsPerSms, credits, faults: faults.map(({ code }) => code), dearest };
    };
    const before = { active: false, creditsPerSms: 4, credits: null, faults: ['region_inactive'], dearest: 50 };
    expect(await shown()).toEqual(before);
    await set('FR', { active: true, credits: 9 });
    expect(await shown()).toEqual({ active: true, creditsPerSms: 9, credits: 9, faults: [], dearest: 90 });
  });

  it('keeps a promised price when it rises, and charges the lower one when it falls', async () => {
    await set('FR', { active: true, credits: 3 });
    const { quote } = await post('/api/quote', { message: 'Salut' });
    await set('FR', { credits: 8 });
    expect(await send({ quote })).toMatchObject({ statusCode: 200, credits: 3 });
    expect(await send({ max_credits: 7 })).toMatchObject({ code: 'price_above_max' });
    await set('FR', { credits: 2 });
    expect(await send({ quote })).toMatchObject({ statusCode: 200, credits: 2 });
    await set('FR', { active: false });
    expect(await send({ quote })).toMatchObject({ code: 'region_inactive' });
  });

  it('answers a repeated Idempotency-Key as before the country was closed', async () => {
    await set('FR', { active: true });
    const request = {
      method: 'POST' as const,
      url: '/api/sendsms',
      headers: { 'idempotency-key': 'before' },
      payload: { to: FRENCH, message: 'Salut', apikey: account.apiKey },
    };
    const first = (await server.inject(request)).json<{ message_id: string }>();
    await set('FR', { active: false });
    expect((await server.inject(request)).json()).toMatchObject({ message_id: first.message_id });
  });

  it('names the country of a number that is not served', async () => {
    expect(await post('/api/sendsms', { to: '+447911123456', message: 'Hello' })).toMatchObject({
      code: 'region_unsupported',
      detail: 'This is a number in Guernsey; messages there are not offered.',
    });
  });

  it('names the countries in which codes are spoken in calls, where calls are configured', async () => {
    const isSpoken = async (through = server) =>
      Object.fromEntries((await table(through)).map(({ iso2, voice }) => [iso2, voice]));
    await set('FR', { voice: true });
    await set('US', { voice: true });
    expect(await isSpoken()).toMatchObject({ US: true, CA: false, FR: false });
    await set('FR', { active: true });
    expect(await isSpoken()).toMatchObject({ US: true, CA: false, FR: true });
    expect(Object.values(await isSpoken(other))).not.toContain(true);
    expect(await post('/api/sendotp', { channels: 'voice' })).toMatchObject({ statusCode: 200, credits: 3 });
    expect(await post('/api/sendotp', { channels: 'voice' }, other)).toMatchObject({ code: 'channel_unsupported' });
    await set('US', { voice: false });
    expect(await isSpoken()).toMatchObject({ US: false });
  });

  it('sends one-time passwords where they are switched on and the country is active', async () => {
    expect(await post('/api/sendotp', {})).toMatchObject({
      code: 'region_unsupported',
      detail: 'One-time passwords are sent to the USA and Canada only.',
    });
    await set('FR', { otp: true });
    expect(await post('/api/sendotp', {})).toMatchObject({ code: 'region_inactive' });
    expect(await france()).toMatchObject({ otp: false });
    await set('FR', { active: true });
    expect(await post('/api/sendotp', {})).toMatchObject({ statusCode: 200, credits: 1 });
    expect(await france()).toMatchObject({ otp: true });
    expect(await post('/api/sendotp', { to: '+447400123456' })).toMatchObject({
      code: 'region_unsupported',
      detail: 'One-time passwords are sent to the USA, France and Canada only.',
    });
  });
});
