import { publicMessageId } from '../rules/ids.js';
import { namedByStatusUrl, statusCallbackUrl } from './status-callback-url.js';

const message = {
  id: '0190f0aa-1234-7abc-8def-0123456789ab',
  accountId: '0190f0aa-0000-7abc-8def-0123456789ab',
  recipient: '+14155552671',
  sender: '+15005550006',
  body: 'Hello',
};

describe('namedByStatusUrl', () => {
  it('returns the message and account of a URL that was made for them', () => {
    const url = statusCallbackUrl('https://sms.example.com', 'telnyx', message);
    expect(url).toMatch(/^https:\/\/sms\.example\.com\/webhooks\/telnyx\/status\?/);
    expect(namedByStatusUrl(url)).toEqual({ messageId: publicMessageId(message.id), accountId: message.accountId });
  });

  it.each([
    ['https://x.example/?message_id=SM1', { messageId: 'SM1', accountId: undefined }],
    ['https://x.example/?message_id=SM1&account_id=x', { messageId: 'SM1', accountId: undefined }],
    ['https://x.example/webhooks/telnyx/inbound', undefined],
    ['no URL', undefined],
    ['', undefined],
  ])('returns for %p %p', (url, expected) => {
    expect(namedByStatusUrl(url)).toEqual(expected);
  });
});
