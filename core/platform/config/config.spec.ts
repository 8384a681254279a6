import { readFileSync } from 'node:fs';
import { testConfig } from '../../testing/test-config.js';
import { accountSettingsOf, version } from './config.js';

it('has the version of package.json', () => {
  const { version: released } = JSON.parse(readFileSync(`${__dirname}/../../../package.json`, 'utf8')) as {
    version: string;
  };
  expect(version).toBe(released);
});

it('names the settings of our account at each carrier', () => {
  const bind = { name: 'acme', url: 'smpp://127.0.0.1:2775', system_id: 'us', password: 'pw', senders: ['40404'] };
  const config = testConfig({
    TELNYX_API_KEY: 'KEY1',
    TELNYX_PUBLIC_KEY: Buffer.alloc(32).toString('base64'),
    TELNYX_SENDERS: '+15005550100',
    SMPP_BINDS: JSON.stringify([bind]),
  });
  expect(config.carriers.map(({ number }) => accountSettingsOf(config, number))).toEqual([
    'TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN',
    'TELNYX_API_KEY',
    'system_id and password of acme in SMPP_BINDS',
  ]);
});
