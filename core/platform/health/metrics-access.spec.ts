import { testConfig } from '../../testing/test-config.js';
import { MetricsReaders } from './metrics-access.js';

const TOKEN = 'token-of-the-operator';
const local = { PUBLIC_URL: 'http://localhost:3000' };

const readers = (variables: Record<string, string>) => new MetricsReaders(testConfig(variables));
const call = (remoteAddress: string | undefined, headers: Record<string, string> = {}) => ({ remoteAddress, headers });

describe('MetricsReaders', () => {
  it.each(['127.0.0.1', '::1', '::ffff:172.18.0.5', '10.1.2.3', '192.168.1.2', 'fd12::7'])(
    'admits %s of the operator’s own network, on both ports',
    (address) => {
      expect(readers(local).admits(call(address), 'server')).toBe(true);
      expect(readers(local).admits(call(address), 'worker')).toBe(true);
    },
  );

  it.each(['203.0.113.7', '8.8.8.8', '2606:4700::1111', '169.254.169.254', 'nonsense', undefined])(
    'refuses %s',
    (address) => {
      expect(readers(local).admits(call(address), 'server')).toBe(false);
      expect(readers(local).admits(call(address), 'worker')).toBe(false);
    },
  );

  it.each(['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'])(
    'refuses what a proxy passes on: %s',
    (header) => {
      const passedOn = call('10.0.0.2', { [header]: '10.0.0.9' });
      expect(readers(local).admits(passedOn, 'server')).toBe(false);
      expect(readers(local).admits(passedOn, 'worker')).toBe(false);
    },
  );

  it.each([
    ['the public URL is https', { PUBLIC_URL: 'https://sms.example.com' }],
    ['the proxy is trusted', { ...local, TRUST_PROXY: '1' }],
  ])('refuses every caller on the server’s port when %s and there is no token', (_title, variables) => {
    expect(readers(variables).admits(call('10.0.0.2'), 'server')).toBe(false);
    expect(readers(variables).admits(call('10.0.0.2'), 'worker')).toBe(true);
  });

  it('admits only callers with the token if one is set, from any address', () => {
    const guarded = readers({ METRICS_TOKEN: TOKEN });
    const bearing = (authorization: string) => call('203.0.113.7', { authorization, 'x-forwarded-for': '8.8.8.8' });
    expect(guarded.admits(bearing(`Bearer ${TOKEN}`), 'server')).toBe(true);
    expect(guarded.admits(bearing(`bearer ${TOKEN}`), 'worker')).toBe(true);
    for (const wrong of ['', 'Bearer', `Bearer ${TOKEN}x`, `Basic ${TOKEN}`, TOKEN])
      expect(guarded.admits(bearing(wrong), 'server')).toBe(false);
    expect(guarded.admits(call('127.0.0.1'), 'server')).toBe(false);
  });
});
