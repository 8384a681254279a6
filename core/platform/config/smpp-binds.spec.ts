import { bindNumberOf, smppBinds } from './smpp-binds.js';

const PASSWORD = 'pass-4b1d';
const bind = (changes: object = {}) => ({
  name: 'acme',
  url: 'smpp://smsc.example.com:2776',
  system_id: 'pennytext',
  password: PASSWORD,
  senders: ['+15005550006'],
  ...changes,
});
const parsed = (value: unknown) => smppBinds().safeParse(typeof value === 'string' ? value : JSON.stringify(value));
const faults = (value: unknown) => parsed(value).error?.issues.map(({ message }) => message) ?? [];

describe('SMPP_BINDS', () => {
  it('is none if it is not set', () => {
    expect(smppBinds().parse(undefined)).toEqual([]);
  });

  it('needs no more than a name, an address, an account and senders', () => {
    expect(parsed([bind()]).data).toEqual([
      {
        name: 'acme',
        number: 24_539,
        address: { host: 'smsc.example.com', port: 2776, isTls: false },
        systemId: 'pennytext',
        password: PASSWORD,
        systemType: '',
        senders: [{ country: undefined, sender: '+15005550006' }],
        window: 10,
        perSecond: undefined,
        perSenderPerSecond: undefined,
        idBase: 'auto',
        gsm7Coding: 0,
        ton: 1,
        npi: 1,
        longTexts: 'udh',
        throttleMs: 60_000,
      },
    ]);
  });

  it('takes every setting', () => {
    const settings = {
      system_type: 'SMS',
      window: 50,
      per_second: 100,
      per_sender_per_second: 1,
      id_base: 'hex',
      data_coding: 1,
      addr_ton: 2,
      addr_npi: 8,
      long_texts: 'payload',
      throttle_seconds: 5,
      senders: ['GB:+447700900000', '40404', 'ACME Ltd'],
    };
    expect(parsed([bind(settings)]).data?.[0]).toMatchObject({
      systemType: 'SMS',
      window: 50,
      perSecond: 100,
      perSenderPerSecond: 1,
      idBase: 'hex',
      gsm7Coding: 1,
      ton: 2,
      npi: 8,
      longTexts: 'payload',
      throttleMs: 5_000,
      senders: [{ country: 'GB', sender: '+447700900000' }, { sender: '40404' }, { sender: 'ACME Ltd' }],
    });
  });

  it.each([
    ['smpp://10.0.0.1', { host: '10.0.0.1', port: 2775, isTls: false }],
    ['smpps://smsc.example.com', { host: 'smsc.example.com', port: 3550, isTls: true }],
    ['smpps://[::1]:3551/', { host: '::1', port: 3551, isTls: true }],
  ])('reads the address %s', (url, address) => {
    expect(parsed([bind({ url })]).data?.[0]?.address).toEqual(address);
  });

  it('gives a bind the same number for ever, whichever others there are', () => {
    // Stored messages have these numbers.
    expect(['acme', 'beta', 'gamma-2'].map(bindNumberOf)).toEqual([24_539, 31_877, 25_731]);
    const two = parsed([bind({ name: 'beta', senders: ['b'] }), bind()]).data;
    expect(two?.map(({ number }) => number)).toEqual(['beta', 'acme'].map(bindNumberOf));
  });

  it('refuses two names of one number', () => {
    const names = Array.from({ length: 2_000 }, (_, n) => `n${n}`);
    const numbers = names.map(bindNumberOf);
    const at = numbers.findIndex((number, index) => numbers.indexOf(number) !== index);
    const first = names[numbers.indexOf(numbers[at] ?? 0)] ?? '';
    expect(faults([bind({ name: first }), bind({ name: names[at], senders: ['b'] })])).toEqual([
      `has a fault in bind 2: name has the same number as ${first}, so choose another`,
    ]);
  });

  it.each<[string, unknown, string]>([
    ['no JSON', `[{"password":"${PASSWORD}"`, 'must be a JSON list of objects, each with name, url'],
    ['no list', bind(), 'must be a JSON list of objects'],
    ['something else in the list', ['acme'], 'has a fault in bind 1: it must be an object'],
    ['no name', [bind({ name: undefined })], 'has a fault in bind 1: name must be 1 to 20 of a-z'],
    ['the name of another carrier', [bind({ name: 'twilio' })], 'name must be none of twilio, telnyx, smpp'],
    ['a password that is no text', [bind({ password: 1 })], 'has a fault in bind 1: password must be 1 to 64 ASCII'],
    ['an address over http', [bind({ url: 'http://x' })], 'has a fault in bind 1: url must be smpp://host:port'],
    ['a user in the address', [bind({ url: 'smpp://a:b@x' })], 'url must be smpp://host:port'],
    ['a path in the address', [bind({ url: 'smpp://x/y' })], 'url must be smpp://host:port'],
    ['no host', [bind({ url: 'smpp://' })], 'url must be smpp://host:port'],
    ['an id that is too long', [bind({ system_id: 'a'.repeat(16) })], 'system_id must be 1 to 15 ASCII'],
    ['no senders', [bind({ senders: [] })], 'senders must have at least one sender'],
    ['senders that are no list', [bind({ senders: '+15005550006' })], 'senders must be numbers'],
    ['a sender that is none', [bind({ senders: ['twelve chars'] })], 'senders must be numbers (+15005550006)'],
    ['a country that is none', [bind({ senders: ['XX:+15005550006'] })], 'senders must name countries of the region'],
    [
      'a window of 0',
      [bind(), bind({ name: 'b', senders: ['b'], window: 0 })],
      'in bind 2: window must be a whole number',
    ],
    ['a base that is none', [bind({ id_base: 'octal' })], 'id_base must be auto, same, decimal or hex'],
    ['long texts by another way', [bind({ long_texts: 'sar' })], 'long_texts must be udh or payload'],
    ['a misspelled field', [bind({ windw: 5 })], 'has a fault in bind 1: it has no field windw'],
    ['a name twice', [bind(), bind({ senders: ['b'] })], 'has a fault in bind 2: name must be its own'],
    ['a sender twice', [bind(), bind({ name: 'b' })], 'has a fault in bind 2: senders must not be those of another'],
    ['four binds', Array.from({ length: 4 }, () => bind()), 'must have at most 3 binds'],
  ])('names what is wrong with %s, and no value', (_name, value, fault) => {
    const found = faults(value);
    expect(found).toContainEqual(expect.stringContaining(fault));
    expect(found.join()).not.toContain(PASSWORD);
  });
});
