import fc from 'fast-check';
import { validateRequest } from 'twilio';
import { twilioSignature } from './twilio-callbacks.js';

describe('twilioSignature', () => {
  it("passes the SDK's validateRequest for any fields and URL", () => {
    const fields = fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), fc.string(), { noNullPrototype: true });
    const urls = fc.constantFrom(
      'http://localhost:3000/webhooks/twilio/status?id=SM1&x=%20y',
      'https://example.com/webhooks/twilio/inbound',
      'http://127.0.0.1:3000/',
    );
    fc.assert(
      fc.property(urls, fields, fc.string({ minLength: 1 }), (url, given, token) => {
        expect(validateRequest(token, twilioSignature(token, url, given), url, given)).toBe(true);
      }),
    );
  });

  it('is rejected under another token', () => {
    const signature = twilioSignature('one', 'http://localhost/', { Body: 'Hello' });
    expect(validateRequest('other', signature, 'http://localhost/', { Body: 'Hello' })).toBe(false);
  });
});
