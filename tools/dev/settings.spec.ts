import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { environmentLines, productEnvironment, programEnvironment, settingsOf, type Secrets } from './settings.js';

describe('settingsOf', () => {
  it('uses the usual ports', () => {
    expect(settingsOf({})).toMatchObject({ port: 3000, workerPort: 3001, sandboxPort: 4000, hasTwilio: false });
  });

  it('treats an empty variable as unset', () => {
    expect(settingsOf({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 3000, databaseUrl: undefined });
  });

  it.each(['abc', '0', '65536', '30.5', '-1'])('refuses the port %s, naming the variable', (port) => {
    expect(() => settingsOf({ WORKER_PORT: port })).toThrow(
      `WORKER_PORT must be a port from 1 to 65535, but is "${port}".`,
    );
  });

  it('refuses one port for two programs', () => {
    expect(() => settingsOf({ PORT: '3001' })).toThrow('must differ');
  });

  it.each(['DATABASE_URL_FILE', 'TWILIO_AUTH_TOKEN_FILE', 'API_KEY_HASH_SECRET_FILE'])(
    'refuses %s, because it sets the value itself',
    (name) => {
      expect(() => settingsOf({ [name]: '/run/secrets/x' })).toThrow(`not ${name}.`);
      expect(settingsOf({ [name]: '' })).toMatchObject({ port: 3000 });
    },
  );

  it('refuses an address that is not a URL, and shows what one looks like', () => {
    expect(() => settingsOf({ DATABASE_URL: 'localhost' })).toThrow('it should look like postgres://');
  });
});

const secrets: Secrets = {
  apiKeyHashSecret: 'hash+/=',
  apiKeyEncryptionKey: 'encryption==',
  sandboxAccountSid: 'AC0123',
  sandboxAuthToken: 'token',
};
const services = { databaseUrl: 'postgres://u:p@127.0.0.1:54329/pennytext', redisUrl: 'redis://127.0.0.1:63790' };

describe('productEnvironment', () => {
  it('points the product at the sandbox when there is no Twilio account', () => {
    expect(productEnvironment(settingsOf({ SANDBOX_PORT: '4100' }), secrets, services, {})).toEqual({
      DATABASE_URL: services.databaseUrl,
      QUEUE_BACKEND: 'redis',
      REDIS_URL: services.redisUrl,
      PUBLIC_URL: 'http://localhost:3000',
      API_KEY_HASH_SECRET: 'hash+/=',
      API_KEY_ENCRYPTION_KEY: 'encryption==',
      TWILIO_ACCOUNT_SID: 'AC0123',
      TWILIO_AUTH_TOKEN: 'token',
      TWILIO_SENDERS: '+15005550006',
      TWILIO_WHATSAPP_SENDER: '+14155238886',
      TWILIO_WHATSAPP_TEMPLATE: `HX${'0'.repeat(32)}`,
      TWILIO_VOICE_NUMBER: '+15005550006',
      TWILIO_API_URL: 'http://127.0.0.1:4100',
      TELNYX_API_KEY: 'KEY_sandbox',
      TELNYX_PUBLIC_KEY: 'xcoq0gutByTpfJ9DoIAR4//RmsxxklziM0uJ6yIlPYw=',
      TELNYX_SENDERS: '+15005550100',
      TELNYX_MESSAGING_PROFILE_ID: '83d2343b-553f-4c5b-b8c8-fd27004f94bf',
      TELNYX_API_URL: 'http://127.0.0.1:4100',
      SMPP_BINDS:
        '[{"name":"smsc","url":"smpp://127.0.0.1:4175","system_id":"sandbox","password":"sandbox",' +
        '"senders":["+15005550200"]}]',
      ALLOW_PRIVATE_WEBHOOKS: 'true',
      GOOGLE_CLIENT_ID: 'sandbox-client',
      GOOGLE_CLIENT_SECRET: 'sandbox-secret',
      GOOGLE_BASE_URL: 'http://localhost:4100',
      SMTP_URL: 'smtp://127.0.0.1:4125',
      STRIPE_SECRET_KEY: 'sk_test_sandbox',
      STRIPE_WEBHOOK_SECRET: 'whsec_sandbox',
      STRIPE_PRICE_STARTER: 'price_starter',
      STRIPE_PRICE_BASIC: 'price_basic',
      STRIPE_PRICE_PRO: 'price_pro',
      STRIPE_PRICE_ENTERPRISE: 'price_enterprise',
      STRIPE_API_URL: 'http://127.0.0.1:4100',
      INVOICE_SELLER_NAME: 'Example Operator Inc.',
      INVOICE_SELLER_ADDRESS: '1 Example Street | New York, NY 10001 | USA',
    });
  });

  it('keeps a real Twilio account', () => {
    const env = { TWILIO_ACCOUNT_SID: 'ACreal', TWILIO_AUTH_TOKEN: 'real', TWILIO_SENDERS: '+12025550100' };
    const product = productEnvironment(settingsOf(env), secrets, services, env);
    expect(product).toMatchObject(env);
    expect(product).not.toHaveProperty('TWILIO_API_URL');
    expect(product).not.toHaveProperty('TELNYX_API_KEY');
    expect(product).not.toHaveProperty('SMPP_BINDS');
    expect(product).not.toHaveProperty('ALLOW_PRIVATE_WEBHOOKS');
  });

  it('has a real Telnyx account beside the Twilio of the sandbox, and no other carrier of it', () => {
    const env = { TELNYX_API_KEY: 'KEY0', TELNYX_PUBLIC_KEY: 'x', TELNYX_SENDERS: '+12025550101' };
    const product = productEnvironment(settingsOf(env), secrets, services, env);
    expect(product).toMatchObject(env);
    expect(product).not.toHaveProperty('TELNYX_API_URL');
    expect(product).not.toHaveProperty('SMPP_BINDS');
  });

  it('keeps binds of its own', () => {
    const env = { SMPP_BINDS: '[]' };
    expect(productEnvironment(settingsOf(env), secrets, services, env)).toMatchObject(env);
  });

  it('keeps a real Google client', () => {
    const env = { GOOGLE_CLIENT_ID: 'real', GOOGLE_CLIENT_SECRET: 'secret' };
    const product = productEnvironment(settingsOf(env), secrets, services, env);
    expect(product).toMatchObject(env);
    expect(product).not.toHaveProperty('GOOGLE_BASE_URL');
  });

  it('keeps a real Stripe account', () => {
    const env = { STRIPE_SECRET_KEY: 'sk_live_real', STRIPE_WEBHOOK_SECRET: 'whsec_real' };
    const product = productEnvironment(settingsOf(env), secrets, services, env);
    expect(product).toMatchObject(env);
    expect(product).not.toHaveProperty('STRIPE_API_URL');
  });

  it("has nothing of the sandbox's at a public address, where the product refuses it", () => {
    const env = { PUBLIC_URL: 'https://demo.example.com' };
    const product = productEnvironment(settingsOf(env), secrets, services, env);
    expect(Object.keys(product).toSorted()).toEqual([
      'API_KEY_ENCRYPTION_KEY',
      'API_KEY_HASH_SECRET',
      'DATABASE_URL',
      'PUBLIC_URL',
      'QUEUE_BACKEND',
      'REDIS_URL',
    ]);
  });

  it('uses the Postgres queue when there is no Redis', () => {
    const product = productEnvironment(settingsOf({}), secrets, { ...services, redisUrl: undefined }, {});
    expect(product).toMatchObject({ QUEUE_BACKEND: 'postgres' });
    expect(product).not.toHaveProperty('REDIS_URL');
  });

  it('keeps secrets of the environment', () => {
    const env = { API_KEY_HASH_SECRET: 'mine' };
    expect(productEnvironment(settingsOf(env), secrets, services, env)).toMatchObject(env);
  });
});

describe('programEnvironment', () => {
  it("never gives a real account's token to the sandbox", () => {
    const env = { TWILIO_ACCOUNT_SID: 'ACreal', TWILIO_AUTH_TOKEN: 'real' };
    const { sandbox } = programEnvironment(settingsOf(env), secrets, '/data/sandbox', env);
    expect(sandbox).toMatchObject({ TWILIO_AUTH_TOKEN: 'token', SANDBOX_PRODUCT_URL: 'http://localhost:3000' });
  });
});

describe('environmentLines', () => {
  /** No process has a variable with NUL. */
  const text = fc
    .string({
      unit: fc.oneof(fc.constantFrom(...`'"\\\`$#~& \t\r\nn{}=,:ü😀`), fc.string({ unit: 'binary', maxLength: 1 })),
    })
    .map((some) => some.replaceAll('\0', ''));
  const environments = (value: fc.Arbitrary<string>) =>
    fc
      .array(value, { maxLength: 20 })
      .map((values) => Object.fromEntries(values.map((one, index) => [`V_${index}`, one])));

  it('are read back byte for byte by a shell', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'lines-')), 'local.env');
    fc.assert(
      fc.property(environments(text), (environment) => {
        writeFileSync(file, environmentLines(environment));
        const names = Object.keys(environment);
        const print = `. "$0"; printf '%s\\0' ${names.map((name) => `"$${name}"`).join(' ')}`;
        const printed = execFileSync('bash', ['--norc', '-c', print, file], {
          encoding: 'utf8',
          env: { LC_ALL: 'C.UTF-8' },
        });
        expect(printed).toBe(
          Object.values(environment)
            .map((value) => `${value}\0`)
            .join('') || '\0',
        );
      }),
      { numRuns: 50 },
    );
  });

  it('are read back byte for byte by Node, without quotes of both kinds', () => {
    const plain = text.map((some) => some.replaceAll('\r', ''));
    const readable = fc.oneof(
      plain.map((some) => some.replaceAll("'", '')),
      plain.map((some) => some.replaceAll(/["\\$`]/g, '')),
    );
    fc.assert(
      fc.property(environments(readable), (environment) => {
        expect(parseEnv(environmentLines(environment))).toEqual(environment);
      }),
    );
  });

  it('leave addresses and JSON legible', () => {
    const binds = '[{"name":"smsc"}]';
    expect(environmentLines({ URL: 'redis://127.0.0.1:6379', SMPP_BINDS: binds, SELLER: "Ada's", BOTH: `'"` })).toBe(
      `URL=redis://127.0.0.1:6379\nSMPP_BINDS='${binds}'\nSELLER="Ada's"\nBOTH=''\\''"'\n`,
    );
  });
});
