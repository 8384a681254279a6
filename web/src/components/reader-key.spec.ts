import { withKey } from './reader-key.js';

describe('withKey', () => {
  it('puts the test key wherever code wants a key, and leaves the rest', () => {
    const code = [["apikey='YOUR_API_KEY'", 'string'], ['\n'], ['YOUR_API_KEY_test'], ['YOUR_WEBHOOK_SECRET']] as const;
    expect(withKey(code, 'abc_test')).toEqual([
      ["apikey='abc_test'", 'string'],
      ['\n'],
      ['abc_test'],
      ['YOUR_WEBHOOK_SECRET'],
    ]);
  });
});
