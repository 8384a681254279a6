import { readFileSync } from 'node:fs';
import { parseEnv as parseDotEnv } from 'node:util';
import { parseEnv } from './env.js';
import { environmentVariables } from './env-schema.js';

const read = (name: string) => readFileSync(`${__dirname}/../../../${name}`, 'utf8');
const example = read('.env.example');

/** Variables that docker-compose.yml substitutes. */
const compose = new Set([
  ...[...read('docker-compose.yml').matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name = '']) => name),
  // Variable of Compose: https://docs.docker.com/compose/how-tos/environment-variables/envvars/
  'COMPOSE_PROFILES',
]);

describe('.env.example', () => {
  const lines = [...example.matchAll(/^(# )?([A-Z0-9_]+)=(.*)$/gm)].map(([, comment, name = '', value = '']) => ({
    isDefault: comment !== undefined,
    name,
    value,
  }));

  it('lists every variable of the product and of docker-compose.yml once', () => {
    expect(lines.map(({ name }) => name).toSorted()).toEqual(
      [...new Set([...environmentVariables, ...compose])].toSorted(),
    );
  });

  it('explains every variable or group', () => {
    const blocks = example.split('\n\n').filter((block) => /^(# )?[A-Z0-9_]+=/m.test(block));
    expect(blocks.length).toBeGreaterThan(5);
    const silent = blocks.filter((block) => !/^# (?![A-Z0-9_]+=)\S/.test(block) && !/^[A-Z]/.test(block));
    expect(silent).toEqual([]);
  });

  it('shows the actual defaults', () => {
    const required = {
      DATABASE_URL: 'postgres://pennytext:x@postgres:5432/pennytext',
      REDIS_URL: 'redis://redis:6379',
      PUBLIC_URL: 'https://sms.example.com',
      API_KEY_HASH_SECRET: Buffer.alloc(32).toString('base64'),
      API_KEY_ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
      TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
      TWILIO_AUTH_TOKEN: 'token',
      TWILIO_SENDERS: '+15005550006',
    };
    const shown = lines.filter(({ isDefault, name }) => isDefault && !compose.has(name));
    const values = Object.fromEntries(shown.map(({ name, value }) => [name, value]));
    expect(shown.length).toBeGreaterThan(10);
    expect(parseEnv({ ...required, ...values })).toEqual(parseEnv(required));
  });
});

describe('sandbox.env', () => {
  it('is complete and names no host outside the Compose network', () => {
    const settings = parseDotEnv(read('sandbox.env'));
    const env = parseEnv({ ...settings, DATABASE_URL: 'postgres://pennytext:from-dot-env@postgres:5432/pennytext' });
    for (const url of [env.TWILIO_API_URL, env.STRIPE_API_URL, env.GOOGLE_BASE_URL, env.SMTP_URL])
      expect(new URL(url ?? '').hostname).toMatch(/^sandbox(\.localhost)?$/);
    const known = (name: string) => environmentVariables.includes(name) || name.startsWith('SANDBOX_');
    expect(Object.keys(settings).filter((name) => !known(name))).toEqual([]);
  });
});
