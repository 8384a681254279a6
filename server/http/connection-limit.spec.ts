import { Server, Socket } from 'node:net';
import { Logger } from '#core/platform/telemetry/logger.js';
import { ConnectionLimit, proxiesOf } from './edge.js';

const MAX = 8;
/** A quarter of the maximum. */
const PER_ADDRESS_MAX = 2;

describe('ConnectionLimit', () => {
  let limit: ConnectionLimit;
  let server: Server;

  const watch = (isProxy = (_address: string) => false) => {
    limit = new ConnectionLimit(MAX, isProxy, Logger.silent());
    server = new Server();
    limit.watch(server);
  };
  beforeEach(() => watch());

  const open = (remoteAddress: string): Socket => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
    server.emit('connection', socket);
    return socket;
  };
  const fill = () => Array.from({ length: MAX }, (_none, n) => open(`192.0.2.${Math.floor(n / PER_ADDRESS_MAX)}`));

  it('refuses what one address has over its share, and no other', () => {
    const own = Array.from({ length: PER_ADDRESS_MAX + 1 }, () => open('192.0.2.1'));
    expect(own.map((socket) => limit.begin(socket))).toEqual([true, true, false]);
    expect(limit.begin(open('192.0.2.2'))).toBe(true);
  });

  it('takes the /64 of an IPv6 address for one client', () => {
    const own = ['2001:db8::1', '2001:db8::2', '2001:db8::3'].map(open);
    expect(own.map((socket) => limit.begin(socket))).toEqual([true, true, false]);
    expect(limit.begin(open('2001:db8:0:1::1'))).toBe(true);
  });

  it('gives the place of an idle connection of the busiest client to one that has fewer', () => {
    const others = fill();
    const newcomer = open('203.0.113.1');
    expect(limit.begin(newcomer)).toBe(true);
    expect(others.filter(({ destroyed }) => destroyed)).toHaveLength(1);
  });

  it('closes no connection with a request', () => {
    const others = fill();
    others.forEach((socket) => limit.begin(socket));
    expect(limit.begin(open('203.0.113.1'))).toBe(false);
    expect(others.some(({ destroyed }) => destroyed)).toBe(false);
    others.forEach((socket) => limit.end(socket));
    expect(limit.begin(open('203.0.113.2'))).toBe(true);
  });

  it('closes nothing for a client that has as many', () => {
    const others = fill();
    const [first] = others;
    first?.destroy();
    first?.emit('close');
    expect(limit.begin(open('203.0.113.1'))).toBe(true);
    const again = open('203.0.113.1');
    expect(limit.begin(again)).toBe(false);
  });

  it('bounds the connections of a proxy by the total alone', () => {
    watch((address) => address === '10.0.0.1');
    const own = Array.from({ length: MAX + 1 }, () => open('10.0.0.1'));
    expect(own.map((socket) => limit.begin(socket))).toEqual([...Array<boolean>(MAX).fill(true), false]);
  });

  it('forgets closed connections', () => {
    for (let round = 0; round < 3; round += 1)
      for (const socket of [open('192.0.2.1'), open('192.0.2.1')]) {
        expect(limit.begin(socket)).toBe(true);
        socket.emit('close');
      }
  });

  it.each<[Parameters<typeof proxiesOf>[0], string, boolean]>([
    [false, '10.0.0.1', false],
    [1, '10.0.0.1', true],
    [['10.0.0.0/8'], '10.1.2.3', true],
    [['10.0.0.0/8'], '::ffff:10.1.2.3', true],
    [['10.0.0.0/8', '192.0.2.1'], '192.0.2.2', false],
    [['2001:db8::/32'], '2001:db8::5', true],
    [['::1'], '127.0.0.1', false],
  ])('takes the peers of TRUST_PROXY=%j as proxies: %s %s', (trustProxy, address, expected) => {
    expect(proxiesOf(trustProxy)(address)).toBe(expected);
  });
});
