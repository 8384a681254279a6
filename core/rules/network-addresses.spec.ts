import {
  allowedNetworkOf,
  blockedNetworkOf,
  clientNetwork,
  isWithin,
  normalAddress,
  parsedUrl,
  splitCredentials,
  webhookUrlFault,
} from './network-addresses.js';

describe('normalAddress', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['203.0.113.7:5678', '203.0.113.7'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:DB8::1]', '2001:db8::1'],
    ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
    ['[fe80::1%eth0]:443', 'fe80::1'],
    ['2001:db8::1:443', '2001:db8::1:443'],
  ])('writes %j as %s', (address, normal) => expect(normalAddress(address)).toBe(normal));

  const unreadable = [
    '',
    'unknown',
    "'; DROP TABLE accounts",
    '10.1',
    '10.1:80',
    '203.0.113.7:',
    '[203.0.113.7',
    '_id7',
  ];

  it('gives each text that is no address an identifier of its own, which no machine has', () => {
    const identifiers = unreadable.map(normalAddress);
    expect(new Set(identifiers).size).toBe(unreadable.length);
    for (const identifier of identifiers) expect(identifier).toMatch(/^2001:2[0-9a-f]:/);
    expect(unreadable.map(normalAddress)).toEqual(identifiers);
  });
});

describe('clientNetwork', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::', '2001:db8:1:2::/64'],
    ['203.0.113.7:5678', '203.0.113.7'],
    ['[2001:db8:1:2:3:4:5:6]:443', '2001:db8:1:2::/64'],
  ])('counts %j as %s', (address, network) => expect(clientNetwork(address)).toBe(network));

  it('counts texts that are no address apart', () => {
    expect(clientNetwork('unknown')).toBe(clientNetwork('unknown'));
    expect(clientNetwork('unknown')).not.toBe(clientNetwork('_id7'));
  });
});

describe('isWithin', () => {
  const isProxy = isWithin(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', '::ffff:172.16.0.0/108', '2001:db9::1']);

  it.each([
    ['10.1.2.3', true],
    ['10.1.2.3:4567', true],
    ['::ffff:10.1.2.3', true],
    ['[2001:db8::1]:443', true],
    ['192.0.2.1', true],
    ['172.16.0.1', true],
    ['2001:db9::1', true],
    ['192.0.2.2', false],
    ['11.0.0.1', false],
    ['2001:db9::2', false],
    ['unknown', false],
  ])('tells of %s: %s', (address, expected) => expect(isProxy(address)).toBe(expected));
});

describe('blockedNetworkOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7/32', '203.0.113.7'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['203.0.113.255/29', '203.0.113.248/29'],
    ['2001:db8::1', '2001:db8::/64'],
    ['2001:db8::1/128', '2001:db8::1'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
  ])('parses %s as %s', (text, network) => expect(blockedNetworkOf(text)).toBe(network));

  it.each(['', 'nobody', '10.1', '0x7f.0.0.1', '0.0.0.0/0', '10.0.0.0/7', '::/0', '203.0.113.7/33', '1.2.3.4/x', '/8'])(
    'rejects %j',
    (text) => expect(blockedNetworkOf(text)).toBeUndefined(),
  );
});

describe('allowedNetworkOf', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['203.0.113.7/24', '203.0.113.0/24'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:db8::1/48', '2001:db8::/48'],
    ['0.0.0.0/0', '0.0.0.0/0'],
  ])('parses %s as %s', (text, network) => expect(allowedNetworkOf(text)).toBe(network));

  it.each(['', 'example.com', '10.1', '10.1/8', '203.0.113.7/33', '::ffff:203.0.113.0/120', '1.2.3.4/x', '/8'])(
    'rejects %j',
    (text) => expect(allowedNetworkOf(text)).toBeUndefined(),
  );
});

describe('parsedUrl', () => {
  it('returns the same result on every call', () => {
    for (let count = 0; count < 100_000; count += 1) {
      if (parsedUrl('https://bücher.example/ü')?.hostname !== 'xn--bcher-kva.example')
        throw new Error(`not at ${count}`);
    }
    expect(parsedUrl('https://')).toBeUndefined();
  });
});

const fault = (url: string, allowPrivate = false) => webhookUrlFault(url, { allowPrivate });
const PRIVATE = 'A webhook must be reachable from the internet: this address is private.';

describe('splitCredentials', () => {
  it.each([
    ['https://hook:secret@example.com/a?b#c', 'https://***:***@example.com/a?b#c', 'hook:secret'],
    ['https://hook@example.com', 'https://***:***@example.com/', 'hook:'],
    ['https://:secret@example.com', 'https://***:***@example.com/', ':secret'],
    ['https://a%40b:c%3Ad%25@example.com/', 'https://***:***@example.com/', 'a@b:c:d%'],
    ['https://a:100%@example.com/', 'https://***:***@example.com/', 'a:100%'],
    ['https://jürgen:ñ@example.com/', 'https://***:***@example.com/', 'jürgen:ñ'],
    ['https://example.com/@a:b', 'https://example.com/@a:b', undefined],
  ])('of %s are %s and %s', (text, url, credentials) => {
    expect(splitCredentials(text)).toEqual({ url, credentials });
  });
});

describe('webhookUrlFault', () => {
  it('accepts a user name and password where they are sent as authorization', () => {
    const url = 'https://hook:secret@example.com/';
    expect(webhookUrlFault(url, { allowPrivate: false, allowCredentials: true })).toBeUndefined();
    expect(webhookUrlFault(url, { allowPrivate: false })).toBe('A webhook URL carries no user name or password.');
    expect(webhookUrlFault('https://a:b@10.0.0.1/', { allowPrivate: false, allowCredentials: true })).toMatch(
      /private/,
    );
  });

  it.each([
    'https://example.com/sms',
    'http://example.com:8080/sms?x=1#y',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]/',
    'https://bücher.example/ü',
    `https://example.com/${'a'.repeat(2_028)}`,
  ])('finds nothing wrong with %.60s', (url) => {
    expect(fault(url)).toBeUndefined();
  });

  it.each([
    ['nonsense', 'This is not a URL. It should look like https://example.com/sms.'],
    ['example.com/sms', 'This is not a URL. It should look like https://example.com/sms.'],
    ['https://', 'This is not a URL. It should look like https://example.com/sms.'],
    ['ftp://example.com/', 'A webhook URL begins with https:// or http://.'],
    ['javascript:alert(1)', 'A webhook URL begins with https:// or http://.'],
    ['file:///etc/passwd', 'A webhook URL begins with https:// or http://.'],
    ['https://user:secret@example.com/', 'A webhook URL carries no user name or password.'],
    [`https://example.com/${'a'.repeat(2_029)}`, 'A webhook URL has at most 2048 characters.'],
  ])('explains what is invalid about %.60s', (url, said) => {
    expect(fault(url)).toBe(said);
    expect(fault(url, true)).toBe(said);
  });

  it.each([
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '017700000001',
    '2130706433',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '[::1]',
    '[fc00::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a00:1]',
    'localhost',
    'LOCALHOST.',
    'sub.localhost',
    '127.0.0.1.',
  ])('keeps %s out, unless the operator lets private addresses in', (host) => {
    expect(fault(`http://${host}/hook`)).toBe(PRIVATE);
    expect(fault(`http://${host}/hook`, true)).toBeUndefined();
  });

  it.each(['0.0.0.0', '169.254.169.254', '168.63.129.16', '224.0.0.1', '255.255.255.255', '[::]', '[fe80::1]'])(
    'rejects %s even when the operator allows private addresses',
    (host) => {
      expect(fault(`http://${host}/hook`)).toBe(PRIVATE);
      expect(fault(`http://${host}/hook`, true)).toBe(PRIVATE);
    },
  );

  it.each([
    [80, true],
    [443, true],
    [1024, true],
    [3000, true],
    [8443, true],
    [65535, true],
    [22, false],
    [25, false],
    [444, false],
    [1023, false],
    [5432, false],
    [6379, false],
    [6667, false],
  ])('takes port %i: %s', (port, isTaken) => {
    expect(fault(`https://example.com:${port}/`) === undefined).toBe(isTaken);
  });
});
