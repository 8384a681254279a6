import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { auth0Notice, authentikCall, plugAnswers, plugCalls } from '#contract/plug-examples.js';
import { type PlugProduct, plugProducts } from '#contract/plug-products.js';
import type { CreatePlugBody, PlugSecretAnswer } from '#contract/plugs.js';
import { createTestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const ZITADEL_KEY = 'VqLpT3kZ7y';

describe('the calls of the pages of Connect', () => {
  let bed: TestBed;
  let server: TestServer;
  let browser: TestBrowser;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config({ RATE_LIMIT_ADDRESS_PER_SECOND: '0' }));
  });

  beforeEach(async () => {
    browser = await TestBrowser.signedIn(server, (await createTestAccount(server)).id);
    await bed.database.sql('DELETE FROM otp_sends');
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  /** Connects a product and makes its call, proved as that product proves it. */
  const answerTo = async (product: PlugProduct, call: object, more: Partial<CreatePlugBody> = {}) => {
    const given = product === 'zitadel' ? { secret: ZITADEL_KEY } : {};
    const connected = await browser.call('POST', '/api/dashboard/plugs', { name: 'Login', product, ...given, ...more });
    const { secret, plugs } = connected.json<PlugSecretAnswer>();
    const payload = JSON.stringify(call);
    const answer = await server.inject({
      method: 'POST',
      url: new URL(plugs[0]?.address ?? '').pathname,
      headers: { 'content-type': 'application/json', ...proofOf(product, secret ?? ZITADEL_KEY, payload) },
      payload,
    });
    return [answer.statusCode, answer.json<unknown>()];
  };
  /** The documented answer, with any id and time. */
  const documented = (product: PlugProduct) =>
    Object.fromEntries(
      Object.entries(plugAnswers[product]).map(([name, value]) => [
        name,
        name === 'success' ? value : expect.stringMatching(/^SM[0-9a-f]{32}$|^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      ]),
    );

  it.each(plugProducts)('of %s is answered as documented', async (product) => {
    expect(await answerTo(product, plugCalls[product])).toEqual([200, documented(product)]);
  });

  it('of Auth0 that have a text and no code are sent', async () => {
    expect(await answerTo('auth0', auth0Notice)).toEqual([200, documented('auth0')]);
  });

  it('of authentik are read by the documented paths', async () => {
    const paths = { toPath: '$.To', codePath: '$.Body' };
    expect(await answerTo('otp', authentikCall, paths)).toEqual([200, documented('otp')]);
  });
});

function proofOf(product: PlugProduct, secret: string, payload: string): Record<string, string> {
  const seconds = String(Math.floor(Date.now() / 1_000));
  if (product === 'supabase') {
    const signature = new Webhook(secret.slice('v1,'.length)).sign('call', new Date(), payload);
    return { 'webhook-id': 'call', 'webhook-timestamp': seconds, 'webhook-signature': signature };
  }
  if (product === 'zitadel') {
    const hex = createHmac('sha256', secret).update(`${seconds}.${payload}`).digest('hex');
    return { 'zitadel-signature': `t=${seconds},v1=${hex}` };
  }
  return { authorization: `Bearer ${secret}` };
}
