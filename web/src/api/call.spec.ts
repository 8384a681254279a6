import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { failureOf } from './api-failure.js';
import { call } from './call.js';

describe('call', () => {
  let server: Server;
  let url: string;
  let answer: { status: number; body: string; headers?: Record<string, string> };

  beforeAll(async () => {
    server = createServer((_request, response) => {
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });

  afterAll(() => new Promise((resolve) => server.close(resolve)));

  const ask = () => call(z.object({ credits: z.int() }), { method: 'GET', path: url });
  const failure = () => ask().catch(failureOf);
  const no = (text: string) => JSON.stringify({ success: 'false', error: text, code: 'some_code', detail: 'why' });

  it('parses the answer with the contract', async () => {
    answer = { status: 200, body: '{"credits": 3, "more": true}' };
    expect(await ask()).toEqual({ credits: 3 });
  });

  it.each([
    [401, 'session'],
    [403, 'refused'],
    [429, 'too_many'],
    [500, 'broken'],
    [503, 'broken'],
  ])('maps status %i to a failure kind with the server’s message', async (status, kind) => {
    answer = { status, body: no('What it says.') };
    expect(await failure()).toMatchObject({ kind, message: 'What it says.', code: 'some_code', detail: 'why' });
  });

  it('reads the message of a rejection with its own shape', async () => {
    answer = { status: 409, body: '{"message": "Not again."}' };
    const shape = z.object({ message: z.string() });
    const own = await call(shape, { method: 'GET', path: url, refusal: shape }).catch(failureOf);
    expect(own).toMatchObject({ kind: 'refused', message: 'Not again.' });
    answer = { status: 401, body: no('Please log in.') };
    const common = await call(shape, { method: 'GET', path: url, refusal: shape }).catch(failureOf);
    expect(common).toMatchObject({ kind: 'session', message: 'Please log in.' });
  });

  it.each(['unknown_api_key', 'key_expired'])('does not treat %s as an ended session', async (code) => {
    answer = { status: 401, body: no('No such key.').replace('some_code', code) };
    expect(await failure()).toMatchObject({ kind: 'refused', detail: 'why' });
  });

  it.each([
    ['20', 'Too many. You can try again in 20 seconds.'],
    ['1', 'Too many. You can try again in 1 second.'],
    ['601', 'Too many. You can try again in 11 minutes.'],
    ['soon', 'Too many.'],
  ])('adds the wait from Retry-After: %s', async (seconds, message) => {
    answer = { status: 429, body: no('Too many.'), headers: { 'Retry-After': seconds } };
    expect(await failure()).toMatchObject({ message });
  });

  it.each([
    [502, '<html>'],
    [200, '<html>'],
    [200, '{"credits": "three"}'],
  ])('reports an unexpected answer as broken: %i %s', async (status, body) => {
    answer = { status, body };
    expect(await failure()).toMatchObject({ kind: 'broken', message: 'Something went wrong. Please try again.' });
  });

  it('reports a connection failure when the server is unreachable', async () => {
    const lost = await call(z.object({}), { method: 'GET', path: 'http://127.0.0.1:1/' }).catch(failureOf);
    expect(lost).toMatchObject({ kind: 'connection', message: expect.stringContaining('could not be reached') });
  });
});
