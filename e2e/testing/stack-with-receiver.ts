import { test } from '@playwright/test';
import { Stack } from './stack.js';
import { WebhookReceiver } from './webhook-receiver.js';

/** A product with a worker, and a customer's server on the same machine that its webhooks may reach. The caller stops both. */
export async function startStackWithReceiver(): Promise<{ stack: Stack; receiver: WebhookReceiver }> {
  const [receiver, stack] = await Promise.all([
    WebhookReceiver.start({ failures: 0, answerAfterMs: 0 }),
    Stack.start({
      servers: 1,
      receiptDelayMs: 100,
      logFolder: test.info().outputPath('logs'),
      env: { ALLOW_PRIVATE_WEBHOOKS: 'true' },
    }),
  ]);
  await stack.startWorker();
  return { stack, receiver };
}
