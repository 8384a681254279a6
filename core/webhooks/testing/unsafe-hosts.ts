/** Hosts that a webhook must not reach, in every form a URL can have, by kind. */
export const unsafeHosts: readonly (readonly [what: string, hosts: readonly string[]])[] = [
  [
    'loopback',
    [
      '127.0.0.1',
      '127.0.0.2',
      '127.255.255.254',
      '127.1',
      '127.0.1',
      '127.0.0.1.',
      '[::1]',
      '[0:0:0:0:0:0:0:1]',
      '[::0001]',
    ],
  ],
  ['loopback in hex', ['0x7f.0.0.1', '0x7f000001', '0x7F.1', '0x7f.0x0.0x0.0x1']],
  ['loopback in octal', ['0177.0.0.1', '017700000001', '0177.1', '0177.0.0.01', '00000177.0.0.1']],
  ['loopback in decimal', ['2130706433']],
  ['loopback in other letters', ['①②⑦.⓪.⓪.①', '１２７.０.０.１', '127。0。0。1', '%31%32%37.0.0.1']],
  ['names of this machine', ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.b.LocalHost.']],
  ['no address at all', ['0.0.0.0', '0', '0x0', '00', '0.1.2.3', '[::]']],
  ['private', ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.1']],
  ['private in other forms', ['0xa000001', '012.0.0.1', '167772161', '0xc0.0xa8.0.1', '3232235521', '0300.0250.0.1']],
  ['link-local', ['169.254.0.1', '[fe80::1]', '[febf::1]']],
  ['cloud metadata, AWS', '169.254.169.254 169.254.170.2 [fd00:ec2::254] [::ffff:169.254.169.254]'.split(' ')],
  ['cloud metadata, AWS in other forms', '0xa9fea9fe 2852039166 0251.0376.0251.0376 169.254.43518'.split(' ')],
  ['cloud metadata, others', '168.63.129.16 100.100.100.200 192.0.0.192 [fd20:ce::254]'.split(' ')],
  ['carrier-grade NAT', ['100.64.0.1', '100.127.255.254']],
  ['multicast and broadcast', ['224.0.0.1', '239.255.255.255', '255.255.255.255', '[ff02::1]', '[ff0e::1]']],
  [
    'reserved and documentation',
    ['240.0.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '192.88.99.1'],
  ],
  ['reserved in IPv6', ['[2001:db8::1]', '[3fff::1]', '[100::1]', '[2001:10::1]', '[5f00::1]', '[4000::1]']],
  ['unique local and site-local', ['[fc00::1]', '[fdff:ffff::1]', '[fec0::1]']],
  ['IPv4 mapped into IPv6', '[::ffff:127.0.0.1] [::ffff:7f00:1] [::ffff:10.0.0.1] [0:0:0:0:0:ffff:c0a8:1]'.split(' ')],
  ['IPv4 in IPv6 otherwise', '[::ffff:0:127.0.0.1] [::127.0.0.1] [::7f00:1] [::ffff:0x7f.1]'.split(' ')],
  ['NAT64', ['[64:ff9b::127.0.0.1]', '[64:ff9b::a00:1]', '[64:ff9b:1::1]', '[64:ff9b::a9fe:a9fe]']],
  ['6to4 and Teredo', ['[2002:7f00:1::]', '[2002:a00:1::1]', '[2001:0:4136:e378:8000:63bf:3fff:fdd2]']],
];

/** Unsafe addresses as a name server returns them. */
export const unsafeAddresses: readonly string[] = [
  '127.0.0.1 10.1.2.3 172.20.0.1 192.168.7.7 169.254.169.254 100.64.3.2 168.63.129.16 0.0.0.0 224.0.0.251',
  '::1 fe80::1 fd12:3456::1 ::ffff:127.0.0.1 64:ff9b::7f00:1 2002:7f00:1::1',
].flatMap((addresses) => addresses.split(' '));
