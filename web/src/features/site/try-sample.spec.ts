import { highlightAnswer, shownAnswer } from '../../api/visitor-calls.js';
import { maskedKey, needsKey, sampleRequest, withKey } from './try-sample.js';

describe('highlightAnswer', () => {
  it('indents JSON and tells names, strings and other values apart', () => {
    expect(highlightAnswer('{"a\\"":"x: 1","n":-2.5,"t":[true,null]}').filter(([, kind]) => kind)).toEqual([
      ['"a\\""', 'keyword'],
      ['"x: 1"', 'string'],
      ['"n"', 'keyword'],
      ['-2.5', 'number'],
      ['"t"', 'keyword'],
      ['true', 'number'],
      ['null', 'number'],
    ]);
  });

  it('leaves other text unchanged', () => {
    expect(highlightAnswer('OTP verified')).toEqual([['OTP verified']]);
  });
});

describe('shownAnswer', () => {
  const answer = (body: BodyInit | null, type?: string) =>
    shownAnswer(new Response(body, { headers: type === undefined ? {} : { 'content-type': type } }));

  it('names size and type of a file in place of its bytes', async () => {
    expect(await answer(new Uint8Array(1_234), 'image/png')).toEqual([['A file of 1,234 bytes, image/png']]);
  });

  it.each(['text/plain; charset=utf-8', 'application/xml', 'application/openmetrics+json'])(
    'shows %s',
    async (type) => {
      expect(await answer('OTP verified', type)).toEqual([['OTP verified']]);
    },
  );

  it('highlights JSON, and shows an empty answer as one', async () => {
    expect(await answer('{"a":1}', 'application/json; charset=utf-8')).toContainEqual(['1', 'number']);
    expect(await answer(null)).toEqual([['']]);
  });
});

describe('withKey', () => {
  it('replaces the API key placeholder and nothing else', () => {
    const code = [["apikey='YOUR_API_KEY'", 'string'], ['\n'], ['YOUR_API_KEY_test'], ['YOUR_WEBHOOK_SECRET']] as const;
    expect(withKey(code, 'abc_test')).toEqual([
      ["apikey='abc_test'", 'string'],
      ['\n'],
      ['abc_test'],
      ['YOUR_WEBHOOK_SECRET'],
    ]);
  });
});

describe('maskedKey', () => {
  it('leaves the prefix and the last four characters readable', () => {
    expect(maskedKey('pt_test_0d8a7c1e5b7f4c1b9f0a3f2b1c4d5e6f01234567')).toBe('pt_test_••••••••4567');
  });
});

const FORM = 'application/x-www-form-urlencoded';

describe('sampleRequest', () => {
  it('parses path, headers and form of a curl sample', () => {
    const text = [
      'curl https://pennytext.example/api/verifyotp \\',
      "  -H 'Accept: application/json' \\",
      "  --data-urlencode to='+12025550142' \\",
      "  --data-urlencode message='Hello from Pennytext, you'",
    ].join('\n');
    expect(sampleRequest(text)).toEqual({
      method: 'POST',
      path: '/api/verifyotp',
      headers: { 'Content-Type': FORM, Accept: 'application/json' },
      body: 'to=%2B12025550142&message=Hello+from+Pennytext%2C+you',
    });
  });

  it('parses a raw HTTP request', () => {
    const text =
      'POST http://127.0.0.1:3000/api/sendsms\nContent-Type: application/json\n\n{\n  "to": "+12025550142"\n}';
    expect(sampleRequest(text)).toEqual({
      method: 'POST',
      path: '/api/sendsms',
      headers: { 'Content-Type': 'application/json' },
      body: '{\n  "to": "+12025550142"\n}',
    });
  });

  it('parses a call without a body, and one of JSON', () => {
    const headers = { Authorization: 'Bearer KEY' };
    expect(sampleRequest("curl https://pennytext.example/api/balance \\\n  -H 'Authorization: Bearer KEY'")).toEqual({
      method: 'GET',
      path: '/api/balance',
      headers,
    });
    expect(
      sampleRequest("curl 'http://localhost:3000/api/otps?status=pending' \\\n  -H 'Authorization: Bearer KEY'"),
    ).toEqual({ method: 'GET', path: '/api/otps?status=pending', headers });
    const cancel =
      "curl -X POST https://pennytext.example/api/messages/YOUR_MESSAGE_ID/cancel -H 'Authorization: Bearer KEY'";
    expect(sampleRequest(cancel)).toEqual({
      method: 'POST',
      path: '/api/messages/YOUR_MESSAGE_ID/cancel',
      headers,
    });
    expect(
      sampleRequest(
        `curl http://localhost:3000/api/sendsms \\\n  -H 'Content-Type: application/json' \\\n  -d '{\n  "to": "1"\n}'`,
      ),
    ).toEqual({
      method: 'POST',
      path: '/api/sendsms',
      headers: { 'Content-Type': 'application/json' },
      body: '{\n  "to": "1"\n}',
    });
  });

  it.each([
    ["apikey='YOUR_API_KEY'", true],
    ['curl https://pennytext.example/api/status', false],
  ])('knows that %s needs a key: %s', (text, needed) => {
    expect(needsKey(text)).toBe(needed);
  });

  it.each([
    '',
    'import json',
    'POST /api/sendsms',
    "curl https://pennytext.example/api/sendsms --data-urlencode quote='YOUR_QUOTE'",
    'curl https://pennytext.example/api/sendsms --data-urlencode send_at="$SEND_AT"',
    "curl https://pennytext.example/api/media -H 'Authorization: Bearer KEY' \\\n  --form file=@menu.jpg",
    "curl https://pennytext.example/api/events -H 'Authorization: Bearer KEY'",
  ])('finds no request in %j', (text) => {
    expect(sampleRequest(text)).toBeUndefined();
  });
});
