import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testVariables } from '../../testing/test-config.js';
import { Config } from './config.js';
import { EnvironmentError, loadEnv, parseEnv } from './env.js';

function faultOf(changes: Record<string, string | undefined>): string {
  try {
    parseEnv({ ...testVariables, ...changes });
  } catch (error) {
    if (error instanceof EnvironmentError) return error.message;
    throw error;
  }
  throw new Error('The environment has no fault');
}

describe('parseEnv', () => {
  it.each([
    ['a missing variable', { DATABASE_URL: undefined }, 'DATABASE_URL is not set: '],
    ['a wrong value', { PORT: 'abc' }, 'PORT must be '],
  ])('begins the message about %s with what is true of both', (_what, changes, rest) => {
    expect(faultOf(changes)).toMatch(new RegExp(`^The settings are incomplete or wrong\\. ${rest}`));
  });

  it('accepts a complete environment and ignores unknown variables', () => {
    expect(parseEnv({ ...testVariables, HOME: '/root', PATH: '' })).toMatchObject({
      PORT: 3000,
      WORKER_PORT: 3001,
      QUEUE_PREFIX: 'test',
    });
  });

  it.each([
    'DATABASE_URL',
    'REDIS_URL',
    'PUBLIC_URL',
    'API_KEY_HASH_SECRET',
    'API_KEY_ENCRYPTION_KEY',
    'TWILIO_ACCOUNT_SID',
    'TWILIO_AUTH_TOKEN',
    'TWILIO_SENDERS',
  ])('reports that %s is not set or empty and what to set', (name) => {
    for (const value of [undefined, '']) {
      const fault = faultOf({ [name]: value });
      expect(fault).toMatch(new RegExp(`${name} is not set: .{10,}`));
      expect(fault).not.toMatch(/Invalid input|undefined/);
    }
  });

  it.each([
    ['DATABASE_URL', 'mysql://localhost/x', 'must be a postgres:// URL'],
    ['DATABASE_URL', 'nonsense', 'must be a postgres:// URL'],
    ['DATABASE_URL', 'postgres://pennytext:4b1d@postgres:5432', 'names no database: end it with one'],
    ['DATABASE_DIRECT_URL', 'postgres://pennytext:4b1d@postgres:5432/', 'names no database: end it with one'],
    ['DATABASE_POOL_MAX', '0', 'must be a whole number from 1 to 100'],
    ['DATABASE_PREPARED_STATEMENTS', 'yes', 'must be true or false'],
    ['QUEUE_BACKEND', 'kafka', 'must be redis or postgres'],
    ['REDIS_URL', 'http://localhost', 'must be a redis:// or rediss:// URL'],
    ['REDIS_URL', 'redis://a,redis://b', 'has more than one address: give one, or set REDIS_CLUSTER=true'],
    ['REDIS_CLUSTER', 'yes', 'must be true or false'],
    ['QUEUE_PREFIX', 'a b', 'must be 1 to 40 of a-z, 0-9, _ and -'],
    ['PORT', 'abc', 'must be a whole number from 1 to 65535'],
    ['PORT', '65536', 'must be a whole number from 1 to 65535'],
    ['PORT', '80.5', 'must be a whole number from 1 to 65535'],
    ['PUBLIC_URL', 'ftp://x', 'must be the http(s) URL at which the product is reached'],
    ['PUBLIC_URL', 'https://sms.example.com/app', 'must end after the host'],
    ['PUBLIC_URL', 'http://localhost:3000/app', 'must end after the host'],
    ['PUBLIC_URL', 'https://sms.example.com/?a=1', 'must end after the host'],
    ['PUBLIC_URL', 'https://ada:secret@sms.example.com', 'must end after the host'],
    ['TRUST_PROXY', 'true', 'must not be true: a client could then name any address as its own'],
    ['TRUST_PROXY', 'yes', 'must be the number of proxies (1 to 9), or their addresses and CIDR ranges'],
    ['TRUST_PROXY', '10', 'must be the number of proxies (1 to 9), or their addresses and CIDR ranges'],
    ['TRUST_PROXY', '10.0.0.0/33', 'must be the number of proxies (1 to 9), or their addresses and CIDR ranges'],
    ['TRUST_PROXY', '1,2', 'must be the number of proxies (1 to 9), or their addresses and CIDR ranges'],
    ['API_KEY_HASH_SECRET', 'short', 'must be 32 bytes in base64: openssl rand -base64 32'],
    [
      'API_KEY_ENCRYPTION_KEY',
      Buffer.alloc(16).toString('base64'),
      'must be 32 bytes in base64: openssl rand -base64 32',
    ],
    ['WEBHOOK_RETRY_SECONDS', '5,soon', 'must be seconds between attempts, separated by commas'],
    ['WEBHOOK_CONCURRENCY', '0', 'must be a whole number from 1 to 5000'],
    ['API_KEY_ENCRYPTION_KEYS_OLD', 'short', 'must be earlier encryption keys in base64, separated by commas'],
    ['GOOGLE_CLIENT_SECRET', 'alone', 'and GOOGLE_CLIENT_ID belong together: give both, or none'],
    ['INVOICE_SELLER_ADDRESS', '1 Main St', 'and INVOICE_SELLER_NAME belong together: give both, or none'],
    ['INVOICE_SELLER_ADDRESS', 'a || b', 'must have one to eight lines, separated by |'],
    ['INVOICE_SELLER_TAX_ID', '<b>', 'must be up to 60 letters, digits, spaces and . : / -'],
    ['GOOGLE_BASE_URL', 'localhost', 'must be an http(s) URL'],
    ['CUSTOM_SIGN_IN_ENABLED', 'on', 'must be true or false'],
    ['TWILIO_ACCOUNT_SID', 'SK123', 'must be AC and 32 hex digits'],
    ['TWILIO_SENDERS', '+1500,x', 'must be +numbers or MG… ids, separated by commas'],
    ['TWILIO_SENDERS', '+15005550006,GB:x', 'must be +numbers or MG… ids, separated by commas'],
    ['TWILIO_SENDERS', '+15005550006,UK:+447700900000', 'must name countries of the region table by two letters'],
    ['TWILIO_SENDERS', 'GB:+447700900000', 'must have a sender without a country'],
    ['TWILIO_SENDERS', Array(401).fill('+15005550006').join(), 'must have at most 400 senders'],
    ['TWILIO_API_URL', 'localhost', 'must be an http(s) URL'],
    ['TELNYX_API_KEY', 'v1key', 'must be an API key of version 2, KEY…'],
    ['TELNYX_PUBLIC_KEY', 'short', 'must be the public key of the account in base64'],
    ['TELNYX_SENDERS', 'MG0123456789abcdef0123456789abcdef', 'must be +numbers, separated by commas'],
    ['TELNYX_SENDERS', 'UK:+447700900000', 'must name countries of the region table by two letters'],
    ['TELNYX_API_URL', 'localhost', 'must be an http(s) URL'],
    ['TELNYX_MESSAGING_PROFILE_ID', '12', 'must be the id of a messaging profile'],
    ['NUMBER_CARRIER', 'smpp', 'must be twilio or telnyx'],
    ['CARRIER_TIMEOUT_MS', '1', 'must be a whole number from 100 to 60000'],
    ['DISPATCH_LEASE_SECONDS', '29', 'must be at least three times CARRIER_TIMEOUT_MS'],
    ['WORKER_CONCURRENCY', '-1', 'must be a whole number from 1 to 1000'],
    ['REFUND_UNDELIVERED', 'no', 'must be true or false'],
    ['SMTP_URL', 'http://localhost', 'must be an smtp:// or smtps:// URL'],
    ['MAIL_FROM', 'nobody', 'must be an address'],
    ['STRIPE_SECRET_KEY', 'pk_test_x', 'must be a secret key'],
    ['STRIPE_WEBHOOK_SECRET', 'secret', 'must be the signing secret of the webhook endpoint'],
    ['STRIPE_PRICE_STARTER', 'prod_x', 'must be the id of a price'],
    ['STRIPE_API_URL', 'localhost', 'must be an http(s) URL'],
    ['RATE_LIMIT_KEY_PER_SECOND', '-1', 'must be a whole number from 0 to 1000000'],
    ['LOG_LEVEL', 'loud', 'must be one of fatal, error, warn, info, debug, silent'],
    ['LOG_FORMAT', 'xml', 'must be json or pretty'],
  ])('reports %s=%s and the fix', (name, value, fix) => {
    expect(faultOf({ [name]: value })).toContain(`${name} ${fix}`);
  });

  it.each(['GOOGLE_CLIENT_ID', 'INVOICE_SELLER_NAME'])('reports the other half of a pair with %s', (name) => {
    const other = { GOOGLE_CLIENT_ID: 'GOOGLE_CLIENT_SECRET', INVOICE_SELLER_NAME: 'INVOICE_SELLER_ADDRESS' }[name];
    expect(faultOf({ [name]: 'alone' })).toContain(`. ${other} and ${name} belong together: give both, or none.`);
  });

  it('reports every fault at once', () => {
    const fault = faultOf({ DATABASE_URL: undefined, REDIS_URL: undefined, PORT: 'x', TWILIO_AUTH_TOKEN: undefined });
    for (const name of ['DATABASE_URL', 'REDIS_URL', 'PORT', 'TWILIO_AUTH_TOKEN']) expect(fault).toContain(name);
  });

  it.each([
    ['redis://a,http://b', 'must be a redis:// or rediss:// URL'],
    ['redis://a,', 'must be a redis:// or rediss:// URL'],
    ['redis://a,rediss://b', 'must have the same scheme, user and password in every address'],
    ['redis://:one@a,redis://:two@b', 'must have the same scheme, user and password in every address'],
    ['redis://a/1', 'must name no database'],
  ])('reports the fault of %s as the address of a Redis Cluster', (url, fix) => {
    expect(faultOf({ REDIS_CLUSTER: 'true', REDIS_URL: url })).toContain(`REDIS_URL ${fix}`);
  });

  it('accepts several nodes of a Redis Cluster', () => {
    const urls = 'redis://:secret@a:7000, redis://:secret@b:7000/';
    expect(new Config(parseEnv({ ...testVariables, REDIS_CLUSTER: 'true', REDIS_URL: urls })).queue.redis).toEqual({
      urls: ['redis://:secret@a:7000', 'redis://:secret@b:7000/'],
      isCluster: true,
    });
  });

  it('does not print values, which may be secrets', () => {
    expect(faultOf({ API_KEY_HASH_SECRET: 'c2VjcmV0LXNlY3JldA==', DATABASE_URL: 'http://user:hunter2@x' })).not.toMatch(
      /c2VjcmV0|hunter2/,
    );
  });

  it('reports what is missing if payments are half configured, and turns payments off if nothing is set', () => {
    const stripe = Object.keys(testVariables).filter((name) => name.startsWith('STRIPE_'));
    const none = Object.fromEntries(stripe.map((name) => [name, undefined]));
    expect(new Config(parseEnv({ ...testVariables, ...none })).stripe).toBeUndefined();
    const fault = faultOf({ ...none, STRIPE_SECRET_KEY: 'sk_test_x' });
    for (const name of ['STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_STARTER', 'STRIPE_PRICE_ENTERPRISE'])
      expect(fault).toContain(`${name} is not set: payments need it`);
  });

  describe('with Telnyx', () => {
    const telnyx = {
      TELNYX_API_KEY: 'KEY0123',
      TELNYX_PUBLIC_KEY: Buffer.alloc(32, 1).toString('base64'),
      TELNYX_SENDERS: 'GB:+447700900001',
    };

    it('has two carriers, the second of which may serve some countries alone', () => {
      const { carriers, telnyx: settings } = new Config(parseEnv({ ...testVariables, ...telnyx }));
      expect(settings).toEqual({ apiKey: 'KEY0123', publicKey: telnyx.TELNYX_PUBLIC_KEY, apiUrl: undefined });
      expect(carriers.map(({ name, number }) => [name, number])).toEqual([
        ['twilio', 1],
        ['telnyx', 2],
      ]);
      expect(carriers[1]?.senders).toEqual([]);
      expect([...(carriers[1]?.countrySenders ?? [])]).toEqual([['GB', ['+447700900001']]]);
    });

    describe('and numbers sold there', () => {
      const profile = '83d2343b-553f-4c5b-b8c8-fd27004f94bf';
      const selling = { ...telnyx, NUMBER_CARRIER: 'telnyx', TELNYX_MESSAGING_PROFILE_ID: profile };

      it('has the carrier and the profile, and sells at Twilio by default', () => {
        const configOf = (more: object) => new Config(parseEnv({ ...testVariables, ...more }));
        const { numbers, telnyx: settings } = configOf(selling);
        expect([numbers.carrier, settings?.messagingProfileId]).toEqual([2, profile]);
        expect([configOf(telnyx).numbers.carrier, configOf({}).numbers.carrier]).toEqual([1, 1]);
      });

      it.each([
        ['TELNYX_MESSAGING_PROFILE_ID', selling, 'copy it from the Telnyx portal, Messaging → Programmable messaging'],
        ['TELNYX_API_KEY', { NUMBER_CARRIER: 'telnyx' }, 'create one in the Telnyx portal under API keys'],
        ['TELNYX_SENDERS', { NUMBER_CARRIER: 'telnyx' }, 'list the numbers that Telnyx sends from'],
      ])('needs %s', (name, given, fix) => {
        const fault = faultOf({ ...given, [name]: undefined });
        expect(fault).toContain(`${name} is not set, but NUMBER_CARRIER=telnyx needs it: ${fix}`);
        expect(fault.split(`${name} is`)).toHaveLength(2);
      });

      it('names a variable that the others of Telnyx lack once', () => {
        expect(faultOf({ ...selling, TELNYX_API_KEY: undefined }).split('TELNYX_API_KEY is not set')).toHaveLength(2);
      });
    });

    it.each([
      ['TELNYX_API_KEY', 'TELNYX_PUBLIC_KEY', 'create one in the Telnyx portal under API keys'],
      ['TELNYX_PUBLIC_KEY', 'TELNYX_API_KEY', 'copy it from the Telnyx portal, Keys & credentials → Public key'],
      ['TELNYX_SENDERS', 'TELNYX_API_KEY', 'list the numbers that Telnyx sends from, such as +12025550143'],
    ])('reports that %s is missing beside the others, with the fix', (name, other, fix) => {
      expect(faultOf({ ...telnyx, [name]: undefined })).toContain(
        `${name} is not set, but ${other} is: ${fix}, or remove the others`,
      );
    });

    it('reports a sender that Twilio has too', () => {
      expect(faultOf({ ...telnyx, TELNYX_SENDERS: 'GB:+15005550006' })).toContain(
        'TELNYX_SENDERS must have no sender of TWILIO_SENDERS: a number belongs to one carrier',
      );
    });

    it('is off without its settings, and with its address alone', () => {
      const config = new Config(parseEnv({ ...testVariables, TELNYX_API_URL: 'http://127.0.0.1:1' }));
      expect([config.telnyx, config.carriers.length]).toEqual([undefined, 1]);
    });
  });

  describe('with SMPP binds', () => {
    const bind = (name: string, ...senders: string[]) => ({
      name,
      url: 'smpp://127.0.0.1',
      system_id: 'me',
      password: 'pass-4b1d',
      senders,
    });
    const binds = (...list: object[]) => ({ SMPP_BINDS: JSON.stringify(list) });
    const telnyx = {
      TELNYX_API_KEY: 'KEY0123',
      TELNYX_PUBLIC_KEY: Buffer.alloc(32, 1).toString('base64'),
      TELNYX_SENDERS: 'GB:+447700900001',
    };

    it('has a carrier for each, in their order', () => {
      const list = binds(bind('acme', 'ACME', 'GB:+447700900002'), bind('beta', '40404'));
      const { carriers, smpp } = new Config(parseEnv({ ...testVariables, ...list }));
      expect(carriers.map(({ name, number }) => [name, number])).toEqual([
        ['twilio', 1],
        ['acme', 24_539],
        ['beta', 31_877],
      ]);
      expect(carriers[1]).toMatchObject({ senders: ['ACME'], countrySenders: new Map([['GB', ['+447700900002']]]) });
      expect(smpp.map(({ number }) => number)).toEqual([24_539, 31_877]);
    });

    it('reports senders of another carrier, and a fifth carrier, without a value', () => {
      const faults = [
        faultOf(binds(bind('acme', '+15005550006'))),
        faultOf({ ...telnyx, ...binds(bind('acme', 'a'), bind('beta', 'GB:+447700900001')) }),
        faultOf({ ...telnyx, ...binds(bind('acme', 'a'), bind('beta', 'b'), bind('gamma', 'c')) }),
      ];
      expect(faults[0]).toContain('SMPP_BINDS has a fault in bind 1: senders must not be those of TWILIO_SENDERS');
      expect(faults[1]).toContain('SMPP_BINDS has a fault in bind 2: senders must not be those of TWILIO_SENDERS');
      expect(faults[2]).toContain('SMPP_BINDS must have at most 2 binds beside the other carriers: 4 is the most');
      expect(faults.join()).not.toContain('pass-4b1d');
    });

    it('reports what is wrong in a bind, by its place and field', () => {
      expect(faultOf({ SMPP_BINDS: '[{"name":"acme"}]' })).toContain('SMPP_BINDS has a fault in bind 1: url must be');
    });
  });

  it('needs no Redis if the queues are stored in Postgres', () => {
    expect(parseEnv({ ...testVariables, QUEUE_BACKEND: 'postgres', REDIS_URL: undefined }).REDIS_URL).toBeUndefined();
  });
});

describe('Config', () => {
  it('derives settings from the environment', () => {
    const config = new Config(
      parseEnv({
        ...testVariables,
        PUBLIC_URL: 'https://x.example/',
        TWILIO_SENDERS:
          '+15005550006, GB: +447700900000,MG0123456789abcdef0123456789abcdef, +15005550006,GB:+447700900001',
        REFUND_UNDELIVERED: 'false',
      }),
    );
    expect(config.http.publicUrl).toBe('https://x.example');
    expect(config.carriers[0].senders).toEqual(['+15005550006', 'MG0123456789abcdef0123456789abcdef']);
    expect([...config.carriers[0].countrySenders]).toEqual([['GB', ['+447700900000', '+447700900001']]]);
    expect(config.dispatch).toMatchObject({ refundUndelivered: false, leaseSeconds: 30, concurrency: 100 });
    expect(config.keys.hashSecret).toHaveLength(32);
  });

  it('defaults to the specified rate limits', () => {
    const {
      RATE_LIMIT_KEY_PER_SECOND: _key,
      RATE_LIMIT_ADDRESS_PER_SECOND: _address,
      SIGN_INS_PER_ADDRESS: _signIns,
      SIGN_UPS_PER_ADDRESS_PER_DAY: _signUps,
      ...others
    } = testVariables;
    expect(new Config(parseEnv(others)).rates).toEqual({
      keyPerSecond: 100,
      addressPerSecond: 200,
      signInsPerAddress: 30,
      signUpsPerAddress: 10,
    });
  });

  it.each([
    ['0', false],
    ['false', false],
    ['1', 1],
    ['3', 3],
    ['10.0.0.0/8, 2001:db8::/32,192.0.2.1', ['10.0.0.0/8', '2001:db8::/32', '192.0.2.1']],
  ])('trusts proxies by number or address: %s', (value, expected) => {
    expect(new Config(parseEnv({ ...testVariables, TRUST_PROXY: value })).http.trustProxy).toEqual(expected);
  });
});

describe('loadEnv', () => {
  const home = process.cwd();
  const local = { ...testVariables, PUBLIC_URL: 'http://localhost:3000' };

  afterEach(() => {
    process.chdir(home);
    jest.restoreAllMocks();
  });

  /** The folder of a product that `npm start` runs. */
  function enterFolder(stored: Record<string, string>, own: NodeJS.ProcessEnv = {}): void {
    const folder = mkdtempSync(join(tmpdir(), 'product-'));
    mkdirSync(join(folder, '.data'));
    const lines = Object.entries(stored).map(
      ([name, value]) => `${name}='${value.replaceAll("'", String.raw`'\''`)}'\n`,
    );
    writeFileSync(join(folder, '.data/local.env'), lines.join(''));
    writeFileSync(join(folder, '.env'), '');
    process.chdir(folder);
    jest.replaceProperty(process, 'env', own);
  }

  it('reads what npm start wrote, passwords with quotes too', () => {
    const bind = { name: 'acme', url: 'smpp://127.0.0.1:2775', system_id: 'us', senders: ['40404'] };
    const password = String.raw`it's"\n$HOME`;
    enterFolder({ ...local, SMPP_BINDS: JSON.stringify([{ ...bind, password }]) });
    expect(loadEnv().SMPP_BINDS).toMatchObject([{ name: 'acme', password }]);
  });

  it('refuses a file that is damaged, and names the fix', () => {
    enterFolder(local);
    writeFileSync('.data/local.env', "DATABASE_URL='postgres://");
    expect(() => loadEnv()).toThrow('.data/local.env is damaged. Run npm start, which writes it.');
  });

  it('ignores that file when a database is configured', () => {
    enterFolder({ ...local, PORT: '3999' }, { ...local });
    expect(loadEnv().PORT).toBe(3000);
  });

  it('listens for this machine alone, and for others where a platform sets PORT in the environment', () => {
    enterFolder(local);
    expect(loadEnv().HOST).toBe('127.0.0.1');
    enterFolder({ ...local, PORT: '3999' });
    expect(loadEnv().HOST).toBe('127.0.0.1');
    enterFolder(local, { PORT: '8080' });
    expect(loadEnv().HOST).toBe('0.0.0.0');
    enterFolder({ ...local, HOST: '::1' }, { PORT: '8080' });
    expect(loadEnv().HOST).toBe('::1');
  });
});
