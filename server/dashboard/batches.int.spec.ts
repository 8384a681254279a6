import { batchAnswer, batchesAnswer, batchMessagesAnswer, sendBulkAnswer } from '#contract/bulk.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { TestBrowser } from '../testing/browser.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

const PATH = '/api/dashboard/batches';
const UNKNOWN = `${PATH}/BA0199d0d07c5a7b1f8e0a4f6f2f9c1b3d`;

describe('/api/dashboard/batches', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let browser: TestBrowser;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
    account = await createTestAccount(server);
    browser = await TestBrowser.signedIn(server, account.id);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
  });

  it.each([PATH, UNKNOWN, `${UNKNOWN}/messages`])('needs a session for %s', async (path) => {
    const answer = await new TestBrowser(server).get(path);
    expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([401, 'not_signed_in']);
  });

  it('shows batches and their messages to their own account', async () => {
    const messages = ['+14155552671', '+14155552672'].map((to) => ({ to, message: 'Hello' }));
    const headers = { authorization: `Bearer ${account.apiKey}` };
    const sent = await server.inject({ method: 'POST', url: '/api/sendbulk', headers, payload: { messages } });
    const { batch_id: id } = sendBulkAnswer.parse(sent.json());
    expect(batchesAnswer.parse((await browser.get(PATH)).json())).toMatchObject({
      batches: [{ batch_id: id, messages: 2 }],
      next_cursor: null,
    });
    expect(batchAnswer.parse((await browser.get(`${PATH}/${id}`)).json())).toMatchObject({ credits: 2 });
    const list = batchMessagesAnswer.parse((await browser.get(`${PATH}/${id}/messages`)).json());
    expect(list.messages.map(({ to }) => to)).toEqual(['+14155552672', '+14155552671']);

    const other = await TestBrowser.signedIn(server, (await createTestAccount(server)).id);
    expect((await other.get(PATH)).json()).toMatchObject({ batches: [] });
    for (const path of [`${PATH}/${id}`, `${PATH}/${id}/messages`])
      expect((await other.get(path)).json()).toMatchObject({ code: 'batch_not_found' });
  });

  it('refuses an unknown cursor', async () => {
    expect((await browser.get(`${PATH}?cursor=x`)).json()).toMatchObject({ code: 'invalid_request' });
  });
});
