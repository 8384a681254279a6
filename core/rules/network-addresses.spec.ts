import { allowedNetworkOf, blockedNetworkOf, clientNetwork, normalAddress, parsedUrl } from './network-addresses.js';

describe('normalAddress', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['::FFFF:cb00:7107', '203.0.113.7'],
    ['2001:DB8:0:0::1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['', '0.0.0.0'],
    ['unknown', '0.0.0.0'],
    ["'; DROP TABLE accounts", '0.0.0.0'],
    ['10.1', '0.0.0.0'],
  ])('writes %j as %s', (address, normal) => expect(normalAddress(address)).toBe(normal));
});

describe('clientNetwork', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::', '2001:db8:1:2::/64'],
    ['nonsense', '0.0.0.0'],
  ])('counts %j as %s', (address, network) => expect(clientNetwork(address)).toBe(network));
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
