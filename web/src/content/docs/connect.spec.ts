import { runInNewContext } from 'node:vm';
import { auth0Notice, plugCalls } from '#contract/plug-examples.js';
import { plugProducts } from '#contract/plug-products.js';
import { shownProducts } from '../plug-products.js';
import { auth0Action, connectPages } from './connect.js';

describe('the pages of Connect', () => {
  it.each(plugProducts)('have one for %s', (product) => {
    expect(connectPages.map(({ path }) => path)).toContain(shownProducts[product].page);
  });

  it('each say how they were tested', () => {
    for (const { sections } of connectPages) expect(sections.at(-1)?.title).toBe('How this page was tested');
  });
});

describe('the Action of Auth0', () => {
  const notification = {
    recipient: plugCalls.auth0.recipient,
    code: plugCalls.auth0.code,
    as_text: 'Your code is 561166',
    message_type: plugCalls.auth0.message_type,
    delivery_method: 'text',
  };

  /** Runs the Action as it stands on the page, with a plug that answers with this status. */
  const run = async (sent: object, status = 200, body: object = {}) => {
    const calls: [url: string, init: { headers: Record<string, string>; body: string }][] = [];
    const asked: string[][] = [];
    const plug = (...call: (typeof calls)[number]) => {
      calls.push(call);
      return Promise.resolve(new Response(JSON.stringify(body), { status }));
    };
    const action: { onExecuteCustomPhoneProvider?: (event: object, api: object) => Promise<void> } = {};
    runInNewContext(auth0Action, { exports: action, fetch: plug });
    const secrets = { PENNYTEXT_ADDRESS: 'https://pennytext.example/hooks/auth0/PL1', PENNYTEXT_SECRET: 'plug_1' };
    const ask = (what: string) => (reason: string) => asked.push([what, reason]);
    await action.onExecuteCustomPhoneProvider?.(
      { notification: sent, secrets },
      { notification: { drop: ask('drop'), retry: ask('retry') } },
    );
    return { calls, asked };
  };

  it('makes the documented call, proved by the secret', async () => {
    const { calls, asked } = await run(notification);
    expect(asked).toEqual([]);
    const [[url, { headers, body }] = ['', { headers: {}, body: '' }]] = calls;
    expect([url, headers['Authorization']]).toEqual(['https://pennytext.example/hooks/auth0/PL1', 'Bearer plug_1']);
    expect(JSON.parse(body)).toEqual(plugCalls.auth0);
  });

  it('sends the text of a message without a code', async () => {
    const { text, ...rest } = auth0Notice;
    const { calls } = await run({ ...notification, ...rest, code: undefined, as_text: text });
    expect(JSON.parse(calls[0]?.[1].body ?? '')).toEqual(auth0Notice);
  });

  it.each([
    [402, { code: 'no_credits' }, ['drop', 'no_credits']],
    [429, { code: 'rate_limited' }, ['retry', 'rate_limited']],
    [503, {}, ['retry', 'HTTP 503']],
  ])('after %i with %j asks for %j', async (status, body, expected) => {
    expect((await run(notification, status, body)).asked).toEqual([expected]);
  });

  it('drops a voice call unsent', async () => {
    const { calls, asked } = await run({ ...notification, delivery_method: 'voice' });
    expect([calls, asked]).toEqual([[], [['drop', 'Pennytext sends texts only']]]);
  });
});
