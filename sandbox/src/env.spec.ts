import { DEFAULT_ACCOUNT_SID, readEnv } from './env.js';

describe('readEnv', () => {
  it('has a default for everything', () => {
    expect(readEnv({})).toEqual({
      port: 4000,
      host: '127.0.0.1',
      productUrl: 'http://localhost:3000',
      publicProductUrl: 'http://localhost:3000',
      accountSid: DEFAULT_ACCOUNT_SID,
      authToken: 'sandbox-auth-token',
      googleClientId: 'sandbox-client',
      googleClientSecret: 'sandbox-secret',
      dataDir: null,
      receiptDelayMs: 800,
    });
  });

  it('takes an empty variable as not set and drops the slash at the end of a URL', () => {
    const env = readEnv({ SANDBOX_PORT: '', SANDBOX_PRODUCT_URL: 'http://server:3000/' });
    expect(env).toMatchObject({ port: 4000, productUrl: 'http://server:3000', publicProductUrl: 'http://server:3000' });
  });

  it.each([
    [{ SANDBOX_PORT: 'http' }, 'SANDBOX_PORT must be a port number'],
    [{ SANDBOX_PORT: '70000' }, 'SANDBOX_PORT must be a port number'],
    [{ SANDBOX_PRODUCT_URL: 'localhost:3000' }, 'SANDBOX_PRODUCT_URL must be'],
    [{ TWILIO_ACCOUNT_SID: 'AC123' }, 'TWILIO_ACCOUNT_SID must be AC and 32'],
    [{ SANDBOX_RECEIPT_DELAY_MS: '-1' }, 'SANDBOX_RECEIPT_DELAY_MS must be'],
  ])('names the fault in %j in one line', (source, line) => {
    expect(() => readEnv(source)).toThrow(line);
    expect(() => readEnv(source)).not.toThrow('\n');
  });
});
