import { DEFAULT_ACCOUNT_SID, readEnv } from './env.js';

describe('readEnv', () => {
  it('has a default for every variable', () => {
    expect(readEnv({})).toEqual({
      port: 4000,
      smtpPort: 4025,
      host: '127.0.0.1',
      productUrl: 'http://localhost:3000',
      publicProductUrl: 'http://localhost:3000',
      accountSid: DEFAULT_ACCOUNT_SID,
      authToken: 'sandbox-auth-token',
      telnyxApiKey: 'KEY_sandbox',
      telnyxSeed: 'ABGFMlcQa3ZR0JVlqzSgM6YFrBS3qrmZAY/HPkRCqV0=',
      smppPort: null,
      smppSystemId: 'sandbox',
      smppPassword: 'sandbox',
      googleClientId: 'sandbox-client',
      googleClientSecret: 'sandbox-secret',
      publicUrl: null,
      stripeSecretKey: 'sk_test_sandbox',
      stripeWebhookSecret: 'whsec_sandbox',
      stripePrices: [],
      bankDelayMs: 3_000,
      whatsAppSenders: ['+14155238886'],
      callRingMs: 1_000,
      callTalkMs: 2_000,
      dataDir: null,
      receiptDelayMs: 800,
      logFormat: 'json',
    });
  });

  it('derives the SMTP port unless it is set', () => {
    expect(readEnv({ SANDBOX_PORT: '5000' }).smtpPort).toBe(5025);
    expect(readEnv({ SANDBOX_PORT: '65535' }).smtpPort).toBe(65510);
    expect(readEnv({ SANDBOX_PORT: '0' }).smtpPort).toBe(0);
    expect(readEnv({ SANDBOX_SMTP_PORT: '25' }).smtpPort).toBe(25);
  });

  it('reads prices in cents', () => {
    expect(readEnv({ SANDBOX_STRIPE_PRICES: 'price_starter:300, price_basic:1000' }).stripePrices).toEqual([
      { id: 'price_starter', cents: 300 },
      { id: 'price_basic', cents: 1000 },
    ]);
  });

  it('treats an empty variable as unset and removes the trailing slash of a URL', () => {
    const env = readEnv({ SANDBOX_PORT: '', SANDBOX_PRODUCT_URL: 'http://server:3000/' });
    expect(env).toMatchObject({ port: 4000, productUrl: 'http://server:3000', publicProductUrl: 'http://server:3000' });
  });

  it.each([
    [{ SANDBOX_PORT: 'http' }, 'SANDBOX_PORT must be a port number'],
    [{ SANDBOX_PORT: '70000' }, 'SANDBOX_PORT must be a port number'],
    [{ SANDBOX_PRODUCT_URL: 'localhost:3000' }, 'SANDBOX_PRODUCT_URL must be'],
    [{ TWILIO_ACCOUNT_SID: 'AC123' }, 'TWILIO_ACCOUNT_SID must be AC and 32'],
    [{ STRIPE_SECRET_KEY: 'sk_live_1' }, 'STRIPE_SECRET_KEY must be a test key'],
    [{ SANDBOX_STRIPE_PRICES: 'price_a:3.00' }, 'SANDBOX_STRIPE_PRICES must be prices in cents'],
    [{ LOG_FORMAT: 'xml' }, 'LOG_FORMAT must be json or pretty'],
    [{ SANDBOX_RECEIPT_DELAY_MS: '-1' }, 'SANDBOX_RECEIPT_DELAY_MS must be'],
  ])('explains the error in %j in one line', (source, line) => {
    expect(() => readEnv(source)).toThrow(line);
    expect(() => readEnv(source)).not.toThrow('\n');
  });
});
