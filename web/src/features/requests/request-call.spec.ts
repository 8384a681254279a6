import { curlOf, fieldsOf, isRepeatable, repetitionOf } from './request-call.js';

const ORIGIN = 'https://pennytext.example';
const send = {
  method: 'POST',
  path: '/api/sendsms',
  fields: JSON.stringify({ to: '+1415•••••••', message: '[19 characters]', encoding: 'auto', max_credits: 3 }),
};
const list = { method: 'GET', path: '/api/messages', fields: JSON.stringify({ status: 'failed', to: '+1415•••••••' }) };
const bulk = {
  method: 'POST',
  path: '/api/sendbulk',
  fields: JSON.stringify({ messages: '[2 items]', partial: true }),
};

describe('fieldsOf', () => {
  it('tells what was kept from what has to be entered again', () => {
    expect([...fieldsOf(send), ...fieldsOf(bulk)].map(({ name, kind }) => [name, kind])).toEqual([
      ['to', 'text'],
      ['message', 'text'],
      ['encoding', 'kept'],
      ['max_credits', 'kept'],
      ['messages', 'json'],
      ['partial', 'kept'],
    ]);
  });
});

describe('curlOf', () => {
  it.each([
    [
      'a message',
      send,
      String.raw`curl 'https://pennytext.example/api/sendsms' \
  -H 'Authorization: Bearer k' \
  --json '{"to":"TO","message":"MESSAGE","encoding":"auto","max_credits":3}'`,
    ],
    [
      'a query',
      list,
      String.raw`curl 'https://pennytext.example/api/messages?status=failed&to=TO' \
  -H 'Authorization: Bearer k'`,
    ],
    [
      'a call without fields',
      { method: 'POST', path: '/api/messages/SM1/cancel', fields: '{}' },
      String.raw`curl -X POST 'https://pennytext.example/api/messages/SM1/cancel' \
  -H 'Authorization: Bearer k'`,
    ],
    [
      "a call of Twilio's API",
      { method: 'POST', path: '/2010-04-01/Accounts/AC1/Messages.json', fields: '{"To":"+1415•••","SendAt":"it\'s"}' },
      String.raw`curl 'https://pennytext.example/2010-04-01/Accounts/AC1/Messages.json' \
  -u 'AC1:k' \
  --data-urlencode 'To=TO' \
  --data-urlencode 'SendAt=it'\''s'`,
    ],
    [
      "a call of Textbelt's API with the key in its path",
      { method: 'GET', path: '/quota/…', fields: '{}' },
      "curl -G 'https://pennytext.example/quota/k'",
    ],
    [
      "a call of Textbelt's API",
      { method: 'POST', path: '/text', fields: '{"phone":"+1415•••","message":"[3 characters]"}' },
      String.raw`curl 'https://pennytext.example/text' \
  --data-urlencode 'key=k' \
  --data-urlencode 'phone=PHONE' \
  --data-urlencode 'message=MESSAGE'`,
    ],
  ])('makes %s again', (_title, request, command) => {
    expect(curlOf(request, ORIGIN, 'k')).toBe(command);
  });
});

describe('repetitionOf', () => {
  it('puts what was typed in the place of what was not kept', () => {
    expect(repetitionOf(send, { to: '+12025550142', message: 'Hi' })).toEqual({
      kind: 'call',
      path: '/api/sendsms',
      body: { to: '+12025550142', message: 'Hi', encoding: 'auto', max_credits: 3 },
    });
    expect(repetitionOf(list, { to: '+1 202' })).toEqual({
      kind: 'call',
      path: '/api/messages?status=failed&to=%2B1+202',
      body: undefined,
    });
    expect(repetitionOf(bulk, { messages: '[{"to":"+1"}]' })).toMatchObject({
      body: { messages: [{ to: '+1' }], partial: true },
    });
  });

  it('leaves out what was not typed, and explains what is not JSON', () => {
    expect(repetitionOf(send, {})).toMatchObject({ body: { encoding: 'auto', max_credits: 3 } });
    expect(repetitionOf(bulk, { messages: '[' })).toEqual({
      kind: 'fault',
      name: 'messages',
      text: 'This is not JSON.',
    });
  });
});

describe('isRepeatable', () => {
  it.each([
    ['/api/sendsms', true],
    ['/text', false],
    ['/2010-04-01/Accounts/AC1/Messages.json', false],
  ])('is for %s %s', (path, expected) => {
    expect(isRepeatable({ path })).toBe(expected);
  });
});
