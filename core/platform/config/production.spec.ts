import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseEnv as parseDotEnv } from 'node:util';
import { EnvironmentError, parseProgramEnv } from './env.js';
import { environmentSchema, environmentVariables, notesOf } from './env-schema.js';
import { productionFaults, productionRules } from './production.js';

const random = () => randomBytes(32).toString('base64');
const hashSecret = random();

/** An operator's settings by docs/first-deployment.md. */
const good: Record<string, string> = {
  DATABASE_URL: 'postgres://pennytext:4b1d@postgres:5432/pennytext',
  REDIS_URL: 'redis://redis:6379',
  PUBLIC_URL: 'https://sms.example.com',
  TRUST_PROXY: '1',
  API_KEY_HASH_SECRET: hashSecret,
  API_KEY_ENCRYPTION_KEY: random(),
  API_KEY_ENCRYPTION_KEYS_OLD: `${random()},${random()}`,
  TWILIO_ACCOUNT_SID: `AC${randomBytes(16).toString('hex')}`,
  TWILIO_AUTH_TOKEN: randomBytes(16).toString('hex'),
  TWILIO_SENDERS: '+12025550142',
  TELNYX_API_KEY: `KEY${randomBytes(16).toString('hex')}`,
  TELNYX_PUBLIC_KEY: random(),
  TELNYX_SENDERS: 'GB:+447700900001',
  GOOGLE_CLIENT_ID: '1234-abc.apps.googleusercontent.com',
  GOOGLE_CLIENT_SECRET: 'GOCSPX-0123456789',
  CUSTOM_SIGN_IN_ENABLED: 'true',
  SMTP_URL: 'smtp://user:password@smtp.example.com:587',
  MAIL_FROM: 'Pennytext <hello@example.com>',
  STRIPE_SECRET_KEY: 'sk_live_0123456789',
  STRIPE_WEBHOOK_SECRET: 'whsec_0123456789',
  STRIPE_PRICE_STARTER: 'price_1a',
  STRIPE_PRICE_BASIC: 'price_1b',
  STRIPE_PRICE_PRO: 'price_1c',
  STRIPE_PRICE_ENTERPRISE: 'price_1d',
  METRICS_TOKEN: randomBytes(24).toString('hex'),
  QUEUE_BOARD_PASSWORD: randomBytes(24).toString('hex'),
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
};

/** sandbox.env with the settings of the second carrier, which are commented out there. */
const sandbox = parseDotEnv(
  readFileSync(`${__dirname}/../../../sandbox.env`, 'utf8').replaceAll(/^# (?=TELNYX_)/gm, ''),
);
const bytes = (next: (index: number) => number) =>
  Buffer.from(Array.from({ length: 32 }, (_, index) => next(index))).toString('base64');

const sandboxBind = JSON.stringify([
  { name: 'acme', url: 'smpp://smsc', system_id: 'a', password: 'sandbox', senders: ['ACME'] },
]);

const refused: readonly (readonly [variable: string, value: string, because: string])[] = [
  ['PUBLIC_URL', 'http://sms.example.com', 'must be https'],
  ['PUBLIC_URL', 'http://10.0.0.5:3000', 'must be https'],
  ['PUBLIC_URL', 'http://localhost.example.com', 'must be https'],
  ...productionSecrets().map((name) => [name, sandbox[name] ?? '', "is the sandbox's"] as const),
  ...['API_KEY_HASH_SECRET', 'API_KEY_ENCRYPTION_KEY'].flatMap((name) =>
    [
      bytes(() => 0),
      bytes(() => 0xff),
      bytes((index) => index),
      bytes((index) => 255 - 3 * index),
      bytes((index) => index % 4),
      bytes((index) => 17 * (index % 16)),
      Buffer.from('this is my secret key, a long one').subarray(0, 32).toString('base64'),
      Buffer.from(randomBytes(16).toString('hex')).toString('base64'),
    ].map((value) => [name, value, 'is not random'] as const),
  ),
  ['API_KEY_ENCRYPTION_KEY', hashSecret, 'must differ from API_KEY_HASH_SECRET'],
  ['API_KEY_ENCRYPTION_KEYS_OLD', `${random()},${hashSecret}`, 'must not contain API_KEY_HASH_SECRET'],
  ['METRICS_TOKEN', 'a'.repeat(16), 'is too easy to guess'],
  ['QUEUE_BOARD_PASSWORD', '12121212121212121212', 'is too easy to guess'],
  ['ALLOW_PRIVATE_WEBHOOKS', 'true', 'must not be true'],
  ...['TWILIO_API_URL', 'TELNYX_API_URL', 'STRIPE_API_URL', 'GOOGLE_BASE_URL'].flatMap((name) =>
    [
      'http://sandbox:4000',
      'http://sandbox.localhost:4000',
      'https://127.8.0.1',
      'https://[::1]',
      'http://10.0.0.2',
    ].map((value) => [name, value, 'leads to the sandbox'] as const),
  ),
  ...['smtp://sandbox:4025', 'smtp://localhost:25', 'smtp://127.0.0.1:4025', 'smtps://[::1]'].map(
    (value) => ['SMTP_URL', value, 'leads to the sandbox or to loopback'] as const,
  ),
  ['SMPP_BINDS', sandboxBind, 'has the sandbox'],
  ['DATABASE_URL', 'postgres://pennytext:PASSWORD@postgres:5432/pennytext', 'still has the placeholder'],
  ['DATABASE_DIRECT_URL', 'postgres://pennytext:PASSWORD@postgres:5432/pennytext', 'still has the placeholder'],
  ['MIGRATION_DATABASE_URL', 'postgres://pennytext:PASSWORD@postgres:5432/pennytext', 'still has the placeholder'],
];

/**
 * Variables that the schema marks as secret and sandbox.env sets, and the ids that belong to them.
 */
function productionSecrets(): string[] {
  const secrets = environmentVariables.filter(
    (name) => notesOf(environmentSchema.shape[name as keyof typeof environmentSchema.shape]).secret && sandbox[name],
  );
  // Addresses have their own rules.
  return [
    ...secrets.filter((name) => !name.endsWith('_URL')),
    'TWILIO_ACCOUNT_SID',
    'TELNYX_PUBLIC_KEY',
    'GOOGLE_CLIENT_ID',
  ];
}

const faultOf = (changes: Record<string, string | undefined>): string => {
  try {
    parseProgramEnv({ ...good, ...changes });
  } catch (error) {
    if (error instanceof EnvironmentError) return error.message;
    throw error;
  }
  throw new Error('The environment has no fault');
};

describe('an environment of production', () => {
  it('starts when it is sound', () => {
    expect(parseProgramEnv(good)).toMatchObject({ PUBLIC_URL: 'https://sms.example.com' });
    expect(productionFaults({ ...good, STRIPE_SECRET_KEY: '', SMTP_URL: '', CUSTOM_SIGN_IN_ENABLED: '' })).toEqual([]);
  });

  it.each(refused)('is refused for %s=%s, with the fix', (name, value, because) => {
    const fault = faultOf({ [name]: value });
    expect(fault).toContain(`${name} ${because}`);
    expect(productionFaults({ ...good, [name]: value }).length).toBeLessThanOrEqual(2);
  });

  it('is refused with sign-in by password and no mail server', () => {
    expect(faultOf({ SMTP_URL: undefined })).toContain('CUSTOM_SIGN_IN_ENABLED needs SMTP_URL');
  });

  it('is refused with the settings of the sandbox, each of them named, and no value printed', () => {
    const fault = faultOf({ ...sandbox, PUBLIC_URL: 'https://sms.example.com', DATABASE_URL: good['DATABASE_URL'] });
    for (const name of [
      ...productionSecrets(),
      'TWILIO_API_URL',
      'TELNYX_API_URL',
      'STRIPE_API_URL',
      'GOOGLE_BASE_URL',
      'SMTP_URL',
    ])
      expect(fault).toContain(`${name} `);
    for (const name of productionSecrets()) expect(fault).not.toContain(sandbox[name]);
  });

  it.each(productionRules.filter(({ variable }) => variable !== 'CUSTOM_SIGN_IN_ENABLED'))(
    'has a row here: $variable $fix',
    ({ variable, refuses }) => {
      const rows = refused.filter(([name, value]) => name === variable && refuses(value, { ...good, [name]: value }));
      expect(rows).not.toEqual([]);
    },
  );
});

describe('a local environment', () => {
  const local = [
    'http://localhost:3000',
    'http://127.0.0.1',
    'http://127.3.2.1:1',
    'http://[::1]:3000',
    'http://demo.localhost',
  ];

  it.each(local)('with PUBLIC_URL=%s may have everything of the sandbox', (url) => {
    const database = { DATABASE_URL: good['DATABASE_URL'] };
    expect(parseProgramEnv({ ...sandbox, ...database, PUBLIC_URL: url })).toMatchObject({ PUBLIC_URL: url });
  });
});
