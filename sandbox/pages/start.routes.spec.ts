import { TestSandbox } from '../testing/test-sandbox.js';

const sandbox = new TestSandbox();

beforeAll(() => sandbox.start());
afterAll(() => sandbox.stop());

describe('the start page', () => {
  it('links to every page with its number of items', async () => {
    await sandbox.sdk().messages.create({ to: '+14155552671', from: '+15005550006', body: 'Hello' });
    const text = await (await fetch(sandbox.url)).text();
    for (const path of ['/phone', '/carriers', '/mail', '/checkout', '/hooks'])
      expect(text).toContain(`href="${path}"`);
    expect(text).toContain('1 message<');
    expect(text).toContain(sandbox.product.url);
  });
});
