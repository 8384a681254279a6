import { highlightAnswer } from '../../api/visitor-calls.js';
import { maskedKey, sampleRequest, withKey } from './try-sample.js';

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
      path: '/api/verifyotp',
      headers: { 'Content-Type': FORM, Accept: 'application/json' },
      body: 'to=%2B12025550142&message=Hello+from+Pennytext%2C+you',
    });
  });

  it('parses a raw HTTP request', () => {
    const text =
      'POST http://127.0.0.1:3000/api/sendsms\nContent-Type: application/json\n\n{\n  "to": "+12025550142"\n}';
    expect(sampleRequest(text)).toEqual({
      path: '/api/sendsms',
      headers: { 'Content-Type': 'application/json' },
      body: '{\n  "to": "+12025550142"\n}',
    });
  });

  it.each([
    '',
    'import json',
    "curl https://pennytext.example/api/balance -H 'Authorization: Bearer KEY'",
    'POST /api/sendsms',
    "curl https://pennytext.example/api/sendsms --data-urlencode quote='YOUR_QUOTE'",
    "curl https://pennytext.example/api/sendsms --data-urlencode send_at='2026-03-06T09:00:00-05:00'",
  ])('finds no request in %j', (text) => {
    expect(sampleRequest(text)).toBeUndefined();
  });
});
