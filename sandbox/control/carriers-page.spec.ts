import { type RunningSandbox, startSandbox } from '../sandbox.js';

describe('the page of the carriers', () => {
  let sandbox: RunningSandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, smtpPort: 0 });
  });
  afterAll(() => sandbox.close());

  const page = async () => (await fetch(`${sandbox.url}/carriers`)).text();
  const choose = (service: string, mode: string) =>
    fetch(`${sandbox.url}/carriers`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ service, mode }),
    });
  const modeOf = async (service: string) => {
    const { faults } = (await (await fetch(`${sandbox.url}/_control/faults`)).json()) as {
      faults: { service: string; mode: string; delayMs: number }[];
    };
    return faults.find((fault) => fault.service === service);
  };

  it.each(['twilio', 'telnyx', 'smsc'])('makes %s fail, and work again', async (service) => {
    expect(await page()).toContain(`name="service" value="${service}"`);
    expect((await choose(service, 'suspended')).status).toBe(303);
    expect(await modeOf(service)).toMatchObject({ mode: 'suspended', count: null });
    expect(await page()).toMatch(/<option value="suspended" selected/);
    await choose(service, 'none');
    expect(await modeOf(service)).toMatchObject({ mode: 'none' });
  });

  it('has a time for a delay, and what only an SMSC can do', async () => {
    await choose('telnyx', 'delay');
    expect(await modeOf('telnyx')).toMatchObject({ mode: 'delay', delayMs: 3_000 });
    expect((await choose('smsc', 'unbind')).status).toBe(303);
    expect((await choose('twilio', 'unbind')).status).toBe(400);
    expect((await choose('stripe', 'none')).status).toBe(400);
  });
});
