import { createHmac } from 'node:crypto';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { accountSidOf } from '#contract/account.js';
import { test } from '../testing/product.js';
import { repository } from '../testing/repository.js';
import { RunningCli, SdkProject } from '../testing/sdk-project.js';
import { Visitor } from '../testing/visitor.js';
import { freePort } from '../../tools/testkit/ports.js';
import { until } from '../../tools/testkit/until.js';

const HOST = 'https://pennytext.example';
const WITHIN_MS = 60_000;

let project: SdkProject;

test.beforeAll(async () => {
  project = await SdkProject.create();
  symlinkSync(join(repository, 'node_modules/twilio'), join(project.folder, 'node_modules/twilio'));
});

test.afterAll(() => project?.remove());

/** The program in a migration page that contains a text. */
function programWith(page: string, part: string): string {
  const text = readFileSync(join(repository, 'docs', page), 'utf8');
  const program = [...text.matchAll(/^```js\n([^]*?)^```$/gm)].map(([, code = '']) => code);
  const found = program.find((code) => code.includes(part));
  if (found === undefined) throw new Error(`${page} has no program with ${part}`);
  return found;
}

/** Runs the receiver of a page; stop it. */
async function startReceiver(page: string, apiKey: string): Promise<{ program: RunningCli; url: string }> {
  const port = await freePort();
  const file = project.write(`${page}.mjs`, programWith(page, 'createServer'));
  const env = { PATH: process.env['PATH'] ?? '', API_KEY: apiKey, PORT: String(port) };
  const program = new RunningCli(process.execPath, [file], env, project.folder);
  const url = `http://127.0.0.1:${port}/hook?shop=1`;
  const forged = () => fetch(url, { method: 'POST', body: 'MessageStatus=delivered' }).catch(() => undefined);
  const answer = await until('the receiver answers', forged, { timeoutMs: WITHIN_MS });
  expect(answer.status).toBe(403);
  return { program, url };
}

test('Twilio’s SDK sends by the migration page’s program and validates the status callbacks of the message', async ({
  product,
}) => {
  const page = 'migrating-from-twilio.md';
  const visitor = await Visitor.to(product);
  await visitor.signIn({ email: `callbacks-${crypto.randomUUID()}@example.com`, name: 'Callbacks' });
  const [account, apiKey] = [await visitor.account(), await visitor.apiKey()];
  await visitor.leave();
  const { program, url } = await startReceiver(page, apiKey);
  try {
    const sample = programWith(page, 'messages.create').replaceAll(HOST, product.url);
    const env = { ACCOUNT_SID: accountSidOf(account?.id ?? ''), API_KEY: apiKey };
    expect(await project.program('send.mjs', sample, env)).toMatch(/^SM[0-9a-f]{32} queued\n$/);
    const calling = sample.replace("body: 'Hello'", `body: 'Hello', statusCallback: '${url}'`);
    const [sid = 'none'] = (await project.program('call.mjs', calling, env)).split(' ');
    await program.prints(new RegExp(`^${sid} sent$`, 'm'), WITHIN_MS);
    await program.prints(new RegExp(`^${sid} delivered$`, 'm'), WITHIN_MS);
    const refused = await project.run(
      process.execPath,
      [project.write('refused.mjs', calling.replace(url, 'http://169.254.169.254/'))],
      { env },
    );
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('21609')]);
  } finally {
    await program.stop();
  }
});

test('a program for Textbelt sends, and gets the reply to its text with a valid signature', async ({ product }) => {
  const page = 'migrating-from-textbelt.md';
  const { apiKey } = await product.account(5);
  const { program, url } = await startReceiver(page, apiKey);
  try {
    const sample = programWith(page, 'quotaRemaining').replaceAll(HOST, product.url);
    expect(await project.program('text.mjs', sample, { API_KEY: apiKey })).toMatch(/^SM[0-9a-f]{32} 4\n$/);
    const phone = `+1415556${String(Math.floor(1_000 + Math.random() * 9_000))}`;
    const call = async (path: string, form?: Record<string, string>) => {
      const body = form && new URLSearchParams({ ...form, key: apiKey });
      const answer = await fetch(`${product.url}${path}`, form ? { method: 'POST', body: body ?? null } : {});
      return (await answer.json()) as Record<string, unknown>;
    };
    const sent = await call('/text', { phone, message: 'Hello', replyWebhookUrl: url, webhookData: 'order 7' });
    expect(sent).toMatchObject({ success: true, quotaRemaining: 3 });
    const status = async () => (await call(`/status/${String(sent['textId'])}`))['status'];
    await until('it is delivered', async () => (await status()) === 'DELIVERED', { timeoutMs: WITHIN_MS });
    const [carried] = await product.carrier.messages(phone);
    await product.carrier.reply(phone, carried?.from ?? '', 'Ja 👍');
    await program.prints(new RegExp(`^\\${phone} Ja 👍$`, 'm'), WITHIN_MS);
    expect(await call(`/quota/${apiKey}`)).toEqual({ success: true, quotaRemaining: 2 });
    const old = String(Math.floor(Date.now() / 1_000) - 3_600);
    const signature = createHmac('sha256', apiKey).update(`${old}{}`).digest('hex');
    const headers = { 'x-textbelt-timestamp': old, 'x-textbelt-signature': signature };
    expect((await fetch(url, { method: 'POST', body: '{}', headers })).status).toBe(403);
  } finally {
    await program.stop();
  }
});
