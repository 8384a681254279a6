import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { conformanceServer } from './conformance-server.js';

interface Started {
  readonly run: string;
  readonly client: { readonly api_key: string; readonly base_url: string };
  readonly call: { readonly name: string };
}

const nothing = { waits: [], texts: [], elapsed_ms: 1 };

describe('the server for runners in other languages', () => {
  let server: Server;
  let address: string;

  beforeAll(async () => {
    server = conformanceServer(__dirname);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });

  const post = async (path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${address}${path}`, { method: 'POST', body: JSON.stringify(body ?? {}) });
    return response.json();
  };

  it('lists the cases, starts one, and judges a call that was made as it should be', async () => {
    expect(await (await fetch(`${address}/cases`)).json()).toContain('balance');
    const { run, client, call } = (await post('/cases/balance')) as Started;
    expect(call.name).toBe('balance');
    const headers = {
      authorization: `Bearer ${client.api_key}`,
      accept: 'application/json',
      'user-agent': 'pennytext-shell/0.1.0 (sh 5)',
    };
    const result: unknown = await (await fetch(`${client.base_url}/api/balance`, { headers })).json();
    const { success: _success, ...shown } = result as { readonly success: string };
    expect(await post(`/runs/${run}`, { ...nothing, result: shown })).toEqual({ passed: true, differences: [] });
    expect(await post(`/runs/${run}`, nothing)).toBeNull();
  });

  it('names every difference', async () => {
    const { run, client } = (await post('/cases/balance')) as Started;
    await fetch(`${client.base_url}/api/balances`, { headers: { authorization: 'Bearer other' } });
    const result = { success: 'true', balance: 1, purchased: 253, used: 41 };
    expect(await post(`/runs/${run}`, { ...nothing, texts: [client.api_key], result })).toEqual({
      passed: false,
      differences: [
        'request 1: path is "/api/balances", not "/api/balance"',
        `request 1: authorization is "Bearer other", not "Bearer ${client.api_key}"`,
        'request 1: it accepts */*',
        'request 1: user-agent is node',
        'result.balance is 1, not 212',
        'result: it shows success',
        `a text contains ${client.api_key}`,
      ],
    });
  });

  it('notices a call that was not made, and an outcome that is none', async () => {
    const { run } = (await post('/cases/send')) as Started;
    expect(await post(`/runs/${run}`, nothing)).toMatchObject({ passed: false });
    const { run: next } = (await post('/cases/send')) as Started;
    expect(await post(`/runs/${next}`, { result: {} })).toHaveProperty('error');
    expect((await fetch(`${address}/cases/no-such-case`, { method: 'POST' })).status).toBe(404);
  });
});
