import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@playwright/test';
import sharp from 'sharp';
import { ClientProject, clientLanguages, hasToolchain, toolchains } from '../testing/client-project.js';
import { test } from '../testing/product.js';
import { filledSample } from '../testing/samples.js';
import type { Stack, TestAccount } from '../testing/stack.js';
import { until } from '../../tools/testkit/until.js';

const FOUND: Readonly<Record<string, RegExp>> = {
  message: /SM[0-9a-f]{32}/,
  batch: /BA[0-9a-f]{32}/,
  media: /ME[0-9a-f]{32}/,
};

let stack: Stack;
let account: TestAccount;

test.beforeAll(async ({ product }) => {
  stack = product;
  account = await stack.account(100);
});

function idIn(kind: string, printed: string): string {
  return FOUND[kind]?.exec(printed)?.[0] ?? `no id in ${printed}`;
}

/** Id of a batch that can still be canceled. */
async function scheduledBatch(): Promise<string> {
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const answer = await fetch(`${stack.serverUrl}/api/sendbulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ to: '+12025550142', message: 'Later' }], send_at }),
  });
  return ((await answer.json()) as { batch_id: string }).batch_id;
}

for (const [place, language] of clientLanguages.entries()) {
  test(`the ${language} client is installed from the site, and the programs of its samples run`, async () => {
    test.skip(!hasToolchain(language), `${language} is not on this machine`);
    const project = await ClientProject.create(language, stack.serverUrl);
    const photo = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#b5651d' } })
      .jpeg()
      .toBuffer();
    const site = createServer((_request, reply) => reply.end(photo));
    await once(site.listen(0, '127.0.0.1'), 'listening');
    const started = (call: string, more: readonly (readonly [string, string])[]) =>
      project.run(
        filledSample(call, toolchains[language].file, [
          ['https://pennytext.example', stack.serverUrl],
          ['YOUR_API_KEY', account.apiKey],
          ...more,
        ]),
      );
    const run = async (call: string, ...more: (readonly [string, string])[]) => {
      const { code, output, errors } = await started(call, more);
      expect({ call, code, errors }).toEqual({ call, code: 0, errors: '' });
      return output;
    };
    try {
      const messageId = idIn('message', await run('send-sms'));
      expect(await stack.api.message(account.apiKey, messageId)).toMatchObject({ message: 'Hello from Pennytext' });
      expect(await run('message-status', ['YOUR_MESSAGE_ID', messageId])).toMatch(/queued|sending|sent|delivered/);
      const { balance } = await stack.api.balance(account.apiKey);
      expect(await run('balance')).toContain(String(balance));

      const to = `+1202555390${place}`;
      await run('send-otp', ['+12025550142', to]);
      const otp = await until(
        'the code has reached the carrier',
        async () => /code is (\d{6})\./.exec((await stack.carrier.messages(to))[0]?.body ?? '')?.[1],
        { timeoutMs: 60_000 },
      );
      expect(await run('verify-otp', ['+12025550142', to], ['123456', otp])).toContain('verified');
      expect(await run('verify-otp', ['+12025550142', to], ['123456', otp])).toContain('already_used');

      const batchId = idIn('batch', await run('send-bulk', ['orders-of-march-5', `orders-${language}`]));
      await run('batch-status', ['YOUR_BATCH_ID', batchId]);
      await run('cancel-batch', ['YOUR_BATCH_ID', await scheduledBatch()]);
      const later = idIn('message', await run('send-later'));
      expect(await run('cancel-message', ['YOUR_MESSAGE_ID', later])).toContain('canceled');

      const [quote = 'no quote'] = /[\w-]{40,}/.exec(await run('quote')) ?? [];
      idIn('message', await run('send-quoted', ['YOUR_QUOTE', quote]));
      expect(await run('send-smart')).toContain('"See you at 6..."');
      const once1 = idIn('message', await run('send-once', ['has been shipped', `was shipped by ${language}`]));
      expect(await run('send-once', ['has been shipped', `was shipped by ${language}`])).toContain(once1);
      const capped = await started('send-capped', []);
      expect(capped.code).not.toBe(0);
      expect(capped.errors + capped.output).toContain('price_above_max');

      const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/table.jpg`;
      const sent = idIn('message', await run('send-media', ['https://example.com/table.jpg', url]));
      expect(await stack.api.message(account.apiKey, sent)).toMatchObject({ kind: 'mms' });
      project.write('table.jpg', photo);
      expect(idIn('media', await run('upload-media'))).toMatch(/^ME/);
    } finally {
      site.close();
      project.remove();
    }
  });
}
