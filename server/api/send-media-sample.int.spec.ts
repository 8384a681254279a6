import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { photoWithPlace, SCRIPT_SVG } from '#core/media/testing/pictures.js';
import { moneyOf } from '#core/testing/money.js';
import { createTestAccount, type TestAccount } from '#core/testing/test-accounts.js';
import { createTestBed, type TestBed } from '#core/testing/test-bed.js';
import { createTestServer, type TestServer } from '../testing/test-server.js';

describe('docs/samples/send-media.mjs', () => {
  let bed: TestBed;
  let server: TestServer;
  let account: TestAccount;
  let folder: string;

  beforeAll(async () => {
    bed = await createTestBed();
    server = await createTestServer(bed.config());
    await server.app.listen(0, '127.0.0.1');
    folder = await mkdtemp(join(tmpdir(), 'send-media-'));
  });

  beforeEach(async () => {
    account = await createTestAccount(server);
  });

  afterAll(async () => {
    await server?.close();
    await bed?.remove();
    await rm(folder, { recursive: true });
  });

  async function run(content: Buffer, ...args: string[]) {
    const file = join(folder, 'photo.jpg');
    await writeFile(file, content);
    const { port } = server.app.getHttpServer().address() as AddressInfo;
    const env = { ...process.env, PENNYTEXT_URL: `http://127.0.0.1:${port}`, PENNYTEXT_API_KEY: account.apiKey };
    return new Promise<{ code: number; out: string; error: string }>((resolve) => {
      execFile(process.execPath, ['docs/samples/send-media.mjs', file, ...args], { env }, (failure, out, error) =>
        resolve({ code: failure === null ? 0 : Number(failure.code), out, error }),
      );
    });
  }

  it('uploads a picture and sends it', async () => {
    const { code, out } = await run(await photoWithPlace(), '+14155552671', 'Look at this');
    expect([code, out]).toEqual([0, expect.stringMatching(/^SM[0-9a-f]{32}: mms, 3 credits, 97 left\n$/)]);
    const [row] = await bed.database.sql('SELECT kind, body, recipient FROM messages WHERE account_id = $1', [
      account.id,
    ]);
    expect(row).toEqual({ kind: 'mms', body: 'Look at this', recipient: '+14155552671' });
  });

  it('names what is wrong, and sends nothing', async () => {
    expect(await run(SCRIPT_SVG, '+14155552671')).toMatchObject({
      code: 1,
      error: expect.stringContaining('media_type'),
    });
    expect((await run(await photoWithPlace())).code).toBe(2);
    expect(await moneyOf(bed.database, account.id)).toMatchObject({ balance: 100, messages: 0 });
  });
});
