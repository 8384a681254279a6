import { TestSandbox, until } from '../testing/test-sandbox.js';

const sandbox = new TestSandbox();
const PROFILE = '83d2343b-553f-4c5b-b8c8-fd27004f94bf';
const recipient = '+14155552671';
/** Expected error of the SDK. */
const failure = (status: number, code: string) => ({ status, error: { errors: [expect.objectContaining({ code })] } });

beforeAll(() => sandbox.start());
beforeEach(() => sandbox.post('/_control/reset', {}));
afterAll(() => sandbox.stop());

const fault = (mode: string, more: object = {}) =>
  sandbox.post('/_control/faults', { service: 'numbers', mode, count: 1, ...more });
const available = async (filter: object = {}) => {
  const wanted = {
    country_code: 'US',
    phone_number_type: 'local',
    national_destination_code: '212',
    limit: 3,
  } as const;
  const found = await sandbox.telnyx().availablePhoneNumbers.list({ filter: { ...wanted, ...filter } });
  return found.data ?? [];
};
const firstFree = async () => (await available())[0]?.phone_number ?? '';
const order = async (phone_number: string, more: object = {}) =>
  (
    await sandbox.telnyx().numberOrders.create({
      phone_numbers: [{ phone_number }],
      customer_reference: 'order 1',
      messaging_profile_id: PROFILE,
      ...more,
    })
  ).data;
const statusOf = async (id = '') => (await sandbox.telnyx().numberOrders.retrieve(id)).data?.status;
const owned = async (filter: object = {}) => {
  const found = [];
  for await (const number of sandbox.telnyx().phoneNumbers.list({ filter, 'page[size]': 2 })) found.push(number);
  return found;
};
const buy = async (phone_number: string, more: object = {}) => {
  const { id } = (await order(phone_number, more)) ?? {};
  await until('the order is decided', async () => (await statusOf(id)) !== 'pending');
  const [number] = await owned({ phone_number });
  if (!number) throw new Error('The number was not bought');
  return number;
};
const send = (from: string) => sandbox.telnyx().messages.send({ from, to: recipient, text: 'Hello' });

describe('available phone numbers', () => {
  it('are listed with place and features, those that are free', async () => {
    const [first, second] = await available();
    expect(first).toMatchObject({
      record_type: 'available_phone_number',
      phone_number: expect.stringMatching(/^\+1212[2-9]\d{6}$/),
      features: [{ name: 'voice' }, { name: 'sms' }, { name: 'mms' }],
    });
    expect(first?.region_information).toContainEqual({ region_type: 'location', region_name: 'New York' });
    await buy(first?.phone_number ?? '');
    expect((await available()).map((one) => one.phone_number)).not.toContain(first?.phone_number);
    expect((await available())[0]?.phone_number).toBe(second?.phone_number);
  });

  it('are found by digits and by type', async () => {
    for (const { phone_number } of await available({ phone_number: { contains: '24' }, features: ['sms', 'mms'] }))
      expect(phone_number).toMatch(/24/);
    const [tollFree] = await available({ phone_number_type: 'toll_free', national_destination_code: undefined });
    expect(tollFree?.phone_number).toMatch(/^\+18(33|44|55|66|77|88)/);
    await expect(available({ country_code: 'ZZ' })).rejects.toMatchObject(failure(400, '10015'));
  });
});

describe('number orders', () => {
  it('are pending for a moment, then the number is the product’s', async () => {
    const number = await firstFree();
    const { id, status } = (await order(number)) ?? {};
    expect([status, await owned()]).toEqual(['pending', []]);
    await until('the order succeeds', async () => (await statusOf(id)) === 'success');
    expect(await owned()).toMatchObject([
      { phone_number: number, status: 'active', customer_reference: 'order 1', messaging_profile_id: PROFILE },
    ]);
    const orders = [];
    const filter = { customer_reference: 'order 1' };
    for await (const one of sandbox.telnyx().numberOrders.list({ filter })) orders.push(one);
    expect(orders).toMatchObject([{ id, status: 'success', phone_numbers: [{ phone_number: number }] }]);
    expect(await sandbox.get('/_control/numbers')).toMatchObject([{ carrier: 'telnyx', number }]);
  });

  it('of a number that is ordered, bought here or at Twilio, or another customer’s, are refused', async () => {
    const [ordered, atTwilio, taken] = (await available()).map((one) => one.phone_number ?? '');
    await order(ordered ?? '');
    await sandbox.sdk().incomingPhoneNumbers.create({ phoneNumber: atTwilio ?? '' });
    await sandbox.post('/_control/numbers/take', { number: taken });
    for (const number of [ordered, atTwilio, taken])
      await expect(order(number ?? '')).rejects.toMatchObject(failure(400, '10015'));
    await expect(order('12')).rejects.toMatchObject(failure(422, '10016'));
    await expect(order('+12125550000', { messaging_profile_id: 'other' })).rejects.toMatchObject({ status: 400 });
  });

  it('need the key', async () => {
    const stranger = sandbox.telnyx({ apiKey: 'KEYx' });
    await expect(stranger.numberOrders.list()).rejects.toMatchObject({ status: 401 });
    await expect(stranger.phoneNumbers.list()).rejects.toMatchObject({ status: 401 });
  });
});

describe('phone numbers', () => {
  it('are listed by pages, found by reference and number, and released once', async () => {
    const numbers = (await available()).map((one) => one.phone_number ?? '');
    for (const [index, number] of numbers.entries()) await buy(number, { customer_reference: `order ${index}` });
    expect((await owned()).map((one) => one.phone_number)).toEqual(numbers.toReversed());
    const [found] = await owned({ customer_reference: 'order 1' });
    expect(found?.phone_number).toBe(numbers[1]);
    const { data } = await sandbox.telnyx().phoneNumbers.delete(found?.id ?? '');
    expect(data).toMatchObject({ id: found?.id, status: 'deleted' });
    await expect(sandbox.telnyx().phoneNumbers.delete(found?.id ?? '')).rejects.toMatchObject({ status: 404 });
    await buy(numbers[1] ?? '');
  });

  it('send only from Telnyx, with a profile, and while the product has them', async () => {
    const number = await firstFree();
    await expect(send(number)).rejects.toMatchObject(failure(400, '40305'));
    const { id } = await buy(number, { messaging_profile_id: undefined });
    await expect(send(number)).rejects.toMatchObject(failure(400, '40305'));
    const changed = await sandbox.telnyx().phoneNumbers.messaging.update(id, { messaging_profile_id: PROFILE });
    expect(changed.data).toMatchObject({
      messaging_profile_id: PROFILE,
      features: { sms: { domestic_two_way: true } },
    });
    await send(number);
    const atTwilio = { to: recipient, from: number, body: 'Hello' };
    await expect(sandbox.sdk().messages.create(atTwilio)).rejects.toMatchObject({ code: 21660 });
    await sandbox.telnyx().phoneNumbers.delete(id);
    await expect(send(number)).rejects.toMatchObject(failure(400, '40305'));
  });

  it('have another reference when the product changes it', async () => {
    const { id } = await buy(await firstFree());
    await sandbox.telnyx().phoneNumbers.update(id, { customer_reference: 'order 2' });
    expect(await owned({ customer_reference: 'order 2' })).toMatchObject([{ id }]);
  });

  it('get what a phone sends as Telnyx’s events', async () => {
    const number = await firstFree();
    await buy(number);
    sandbox.product.posts.length = 0;
    await sandbox.post('/_control/inbound', { from: recipient, to: number, body: 'Hello' });
    expect(sandbox.product.posts.map(({ telnyxEvent }) => telnyxEvent?.event_type)).toEqual(['message.received']);
  });
});

describe('faults of numbers at Telnyx', () => {
  it.each([
    ['taken', 400, '10015'],
    ['refuse', 403, '10010'],
    ['429', 429, '10011'],
    ['500', 500, '10007'],
    ['suspended', 401, '10009'],
  ])('%s: the order is refused', async (mode, status, code) => {
    const number = await firstFree();
    await fault(mode);
    await expect(order(number)).rejects.toMatchObject(failure(status, code));
    expect(await firstFree()).toBe(number);
  });

  it.each([
    ['order-failure', true],
    ['other-country', false],
  ])('%s: the order ends as failure, requirements met is %s', async (mode, requirements_met) => {
    const number = await firstFree();
    await fault(mode);
    const { id } = (await order(number)) ?? {};
    await until('the order fails', async () => (await statusOf(id)) === 'failure');
    expect((await sandbox.telnyx().numberOrders.retrieve(id ?? '')).data).toMatchObject({ requirements_met });
    expect([await owned(), await firstFree()]).toEqual([[], number]);
  });

  it('order-pending: the order waits for the delay', async () => {
    await fault('order-pending', { delayMs: 200 });
    const setAtMs = Date.now();
    const { id } = (await order(await firstFree())) ?? {};
    await until('the order succeeds', async () => (await statusOf(id)) === 'success');
    expect(Date.now() - setAtMs).toBeGreaterThanOrEqual(190);
  });

  it.each(['lost-answer', 'accepted-then-5xx'])('%s: the number is bought without an answer', async (mode) => {
    const number = await firstFree();
    await fault(mode);
    await expect(order(number)).rejects.toBeDefined();
    await until('the number is bought', async () => (await owned()).length === 1);
    expect(await owned()).toMatchObject([{ phone_number: number }]);
  });

  it('no-sms: the number that is bought carries no messages', async () => {
    const number = await firstFree();
    await fault('no-sms');
    const { id } = await buy(number);
    const { data } = await sandbox.telnyx().phoneNumbers.messaging.retrieve(id);
    expect(data?.features).toEqual({ sms: null, mms: null });
  });
});
