import { join } from 'node:path';
import { test as base } from '@playwright/test';
import { repository } from './repository.js';
import { Stack } from './stack.js';

/** A product whose settings suit all tests of customers and visitors. */
const settings = { ALLOW_PRIVATE_WEBHOOKS: 'true', WEBHOOK_RETRY_SECONDS: '1', SANDBOX_BANK_DELAY_MS: '8000' };

interface WorkerFixtures {
  /**
   * The running product that all files of one Playwright worker share; each test uses its own
   * accounts.
   */
  readonly product: Stack;
}

/**
 * Playwright's test with a shared product. A test that stops, starves or configures the product
 * starts its own.
 */
export const test = base.extend<object, WorkerFixtures>({
  product: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use, { workerIndex, project }) => {
      const logFolder = join(repository, 'e2e/results', `product-${project.name}-${workerIndex}`);
      const product = await Stack.start({ servers: 1, receiptDelayMs: 100, logFolder, env: settings });
      try {
        await product.startWorker();
        await use(product);
      } finally {
        await product.stop();
      }
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});
