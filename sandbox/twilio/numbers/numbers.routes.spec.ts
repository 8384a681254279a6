import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestSandbox } from '../../testing/test-sandbox.js';

const sandbox = new TestSandbox();
const recipient = '+14155552671';
const smsUrl = 'https://pennytext.test/webhooks/twilio/inbound';

beforeAll(() => sandbox.start());
beforeEach(() => sandbox.post('/_control/reset', {}));
afterAll(() => sandbox.stop());

const fault = (mode: string, count?: number) => sandbox.post('/_control/faults', { service: 'numbers', mode, count });
const local = (options: object = {}) =>
  sandbox
    .sdk()
    .availablePhoneNumbers('US')
    .local.list({ areaCode: 212, smsEnabled: true, limit: 5, ...options });
const firstLocal = async () => (await local())[0]?.phoneNumber ?? '';
const buy = async (phoneNumber: string, friendlyName = 'order 1') =>
  sandbox.sdk().incomingPhoneNumbers.create({ phoneNumber, friendlyName, smsUrl, smsMethod: 'POST' });
const owned = (friendlyName?: string) =>
  sandbox.sdk().incomingPhoneNumbers.list(friendlyName === undefined ? {} : { friendlyName });

describe('AvailablePhoneNumbers', () => {
  it('lists numbers of an area with place and capabilities, always the same ones', async () => {
    const found = await local();
    expect(found).toHaveLength(5);
    expect(found[0]).toMatchObject({
      isoCountry: 'US',
      locality: 'New York',
      region: 'NY',
      addressRequirements: 'none',
    });
    expect(found[0]?.capabilities).toMatchObject({ voice: true, SMS: true, MMS: true });
    for (const { phoneNumber } of found) expect(phoneNumber).toMatch(/^\+1212[2-9]\d{6}$/);
    expect((await local()).map((one) => one.phoneNumber)).toEqual(found.map((one) => one.phoneNumber));
  });

  it('lists toll-free numbers without a place', async () => {
    const [number] = await sandbox.sdk().availablePhoneNumbers('US').tollFree.list({ limit: 1 });
    expect(number?.phoneNumber).toMatch(/^\+18(33|44|55|66|77|88)/);
    expect(number?.locality).toBeNull();
  });

  it.each([
    ['digits', '24', /24/],
    ['letters of a keypad', 'BEE', /233/],
    ['an end', '7$', /7$/],
    ['a beginning', '+1303', /^\+1303/],
  ])('finds numbers by %s', async (_title, contains, pattern) => {
    const found = await sandbox.sdk().availablePhoneNumbers('US').local.list({ contains, limit: 3 });
    expect(found.length).toBeGreaterThan(0);
    for (const { phoneNumber } of found) expect(phoneNumber).toMatch(pattern);
  });

  it('finds a whole number of a known area, unless a customer has it', async () => {
    const find = async (contains: string) =>
      (await sandbox.sdk().availablePhoneNumbers('US').local.list({ contains })).map((one) => one.phoneNumber);
    const listed = (await firstLocal()).slice(2);
    expect([await find(listed), await find('2122000042'), await find('9992000042')]).toEqual([
      [`+1${listed}`],
      ['+12122000042'],
      [],
    ]);
    await sandbox.post('/_control/numbers/take', { number: '+12122000042' });
    expect(await find('2122000042')).toEqual([]);
  });

  it('answers 404 for a country without numbers, and nothing for an area without', async () => {
    await expect(sandbox.sdk().availablePhoneNumbers('ZZ').local.list({ limit: 1 })).rejects.toMatchObject({
      status: 404,
    });
    expect(await local({ areaCode: 999 })).toEqual([]);
  });

  it('leaves out what is bought, here or by another customer', async () => {
    const [first, second] = (await local()).map((one) => one.phoneNumber);
    await buy(first ?? '');
    await sandbox.post('/_control/numbers/take', { number: second });
    expect((await local()).map((one) => one.phoneNumber)).not.toEqual(expect.arrayContaining([first]));
    expect((await local()).map((one) => one.phoneNumber)).not.toEqual(expect.arrayContaining([second]));
  });
});

describe('IncomingPhoneNumbers', () => {
  it('sells a number once, and finds it by its friendly name', async () => {
    const number = await firstLocal();
    const bought = await buy(number);
    expect(bought).toMatchObject({ phoneNumber: number, friendlyName: 'order 1', smsUrl, status: 'in-use' });
    expect(bought.sid).toMatch(/^PN[0-9a-f]{32}$/);
    await expect(buy(number, 'order 2')).rejects.toMatchObject({ status: 400, code: 21422 });
    expect((await owned('order 1')).map(({ sid }) => sid)).toEqual([bought.sid]);
    expect(await owned('order 2')).toEqual([]);
    expect(await sandbox.get('/_control/numbers')).toMatchObject([
      { sid: bought.sid, number, friendlyName: 'order 1' },
    ]);
  });

  it('lists pages', async () => {
    const numbers = (await local()).map(({ phoneNumber }) => phoneNumber);
    for (const number of numbers) await buy(number);
    const listed = await sandbox.sdk().incomingPhoneNumbers.list({ pageSize: 2 });
    expect(listed.map(({ phoneNumber }) => phoneNumber)).toEqual(numbers);
  });

  it('releases a number, once, and sells it again', async () => {
    const number = await firstLocal();
    const { sid } = await buy(number);
    expect(await sandbox.sdk().incomingPhoneNumbers(sid).remove()).toBe(true);
    await expect(sandbox.sdk().incomingPhoneNumbers(sid).remove()).rejects.toMatchObject({ status: 404 });
    await buy(number, 'order 2');
  });

  it('sends from a number only while the product has it', async () => {
    const from = await firstLocal();
    const send = () => sandbox.sdk().messages.create({ to: recipient, from, body: 'Hello' });
    await expect(send()).rejects.toMatchObject({ code: 21660 });
    const { sid } = await buy(from);
    expect((await send()).from).toBe(from);
    await sandbox.sdk().incomingPhoneNumbers(sid).remove();
    await expect(send()).rejects.toMatchObject({ code: 21660 });
  });

  it.each([
    ['a text that is no number', { phoneNumber: '12', friendlyName: 'x' }, 21421],
    ['a friendly name that is too long', { phoneNumber: '+12125550000', friendlyName: 'x'.repeat(65) }, 21403],
  ])('refuses %s', async (_title, options, code) => {
    await expect(sandbox.sdk().incomingPhoneNumbers.create(options)).rejects.toMatchObject({ code });
  });

  it('keeps the numbers over a restart', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'sandbox-numbers-'));
    const other = new TestSandbox();
    try {
      await other.start({ SANDBOX_DATA_DIR: dir });
      const { sid } = await other.sdk().incomingPhoneNumbers.create({ phoneNumber: await firstLocal() });
      await other.stopSandbox();
      await other.start({ SANDBOX_DATA_DIR: dir });
      expect((await other.sdk().incomingPhoneNumbers.list()).map((one) => one.sid)).toEqual([sid]);
    } finally {
      await other.stop();
      await rm(dir, { recursive: true });
    }
  });
});

describe('faults of numbers', () => {
  it.each([
    ['taken', 21422],
    ['refuse', 21404],
    ['other-country', 21631],
    ['429', 20429],
    ['suspended', 20003],
    ['500', 20500],
  ])('%s: the purchase is refused and nothing is bought', async (mode, code) => {
    const number = await firstLocal();
    await fault(mode, 1);
    await expect(buy(number)).rejects.toMatchObject({ code });
    expect(await owned()).toEqual([]);
  });

  it.each(['lost-answer', 'accepted-then-5xx'])(
    '%s: the number is bought without an answer that shows it',
    async (mode) => {
      const number = await firstLocal();
      await fault(mode, 1);
      await expect(buy(number)).rejects.toBeDefined();
      expect((await owned('order 1')).map(({ phoneNumber }) => phoneNumber)).toEqual([number]);
    },
  );

  it('no-sms: the number that is bought carries no messages', async () => {
    const number = await firstLocal();
    await fault('no-sms', 1);
    expect((await buy(number)).capabilities).toMatchObject({ sms: false, voice: true });
  });

  it('other-country and no-sms: the list has other numbers than those asked for', async () => {
    await fault('other-country', 1);
    expect((await local())[0]).toMatchObject({ isoCountry: 'CA' });
    await fault('no-sms', 1);
    expect((await local())[0]?.capabilities).toMatchObject({ SMS: false });
  });
});
