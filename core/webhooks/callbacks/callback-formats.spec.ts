import { createHmac } from 'node:crypto';
import twilio from 'twilio';
import { calledUrl, textbeltHeaders, twilioErrorCode, twilioParameters, twilioSignature } from './callback-formats.js';

const ACCOUNT = '0199d0d0-7c5a-7b1f-8e0a-4f6f2f9c1b3d';
const changed = {
  message_id: '0199d0d0-7c5a-7b1f-8e0a-4f6f2f9c1b3e',
  to: '+12025550142',
  from: '+15005550006',
  status: 'undelivered',
  error_code: 'not_delivered',
  carrier_error: null,
};

describe('callback formats', () => {
  it('have the parameters of a status callback of Twilio', () => {
    const sid = 'SM0199d0d07c5a7b1f8e0a4f6f2f9c1b3e';
    expect(twilioParameters(ACCOUNT, JSON.stringify(changed))).toEqual({
      SmsSid: sid,
      SmsStatus: 'undelivered',
      MessageStatus: 'undelivered',
      To: '+12025550142',
      MessageSid: sid,
      AccountSid: 'AC0199d0d07c5a7b1f8e0a4f6f2f9c1b3d',
      From: '+15005550006',
      ApiVersion: '2010-04-01',
      ErrorCode: '30008',
    });
  });

  it.each([
    ['delivered', null, null, null],
    ['canceled', null, null, null],
    ['failed', 'expired', null, 30_036],
    ['failed', 'carrier_refused', 21_211, 21_211],
    ['undelivered', 'not_delivered', 27, 30_008],
  ])('give a message that is %s (%s, %s) the error code %s', (status, errorCode, carrierError, code) => {
    expect(twilioErrorCode({ status, error_code: errorCode, carrier_error: carrierError })).toBe(code);
  });

  it.each([
    ['https://example.com', 'https://example.com/'],
    ['https://example.com:443/sms?a=1&b=ü#part', 'https://example.com/sms?a=1&b=%C3%BC'],
    ['http://example.com:8080/sms', 'http://example.com:8080/sms'],
    ['https://***:***@example.com/sms', 'https://example.com/sms'],
  ])('sign %s so that Twilio’s SDK accepts it as %s', (url, seen) => {
    const parameters = twilioParameters(ACCOUNT, JSON.stringify(changed));
    const signature = twilioSignature('the key', calledUrl(url), parameters);
    expect(twilio.validateRequest('the key', signature, seen, parameters)).toBe(true);
    expect(twilio.validateRequest('another key', signature, seen, parameters)).toBe(false);
    expect(twilio.validateRequest('the key', signature, seen, { ...parameters, MessageStatus: 'sent' })).toBe(false);
  });

  it('sign replies over the timestamp and the body, as Textbelt', () => {
    const at = new Date('2026-11-22T10:00:00.900Z');
    expect(textbeltHeaders('the key', '{"text":"Ja 👍"}', at)).toEqual({
      'x-textbelt-timestamp': '1795341600',
      'x-textbelt-signature': createHmac('sha256', 'the key').update('1795341600{"text":"Ja 👍"}').digest('hex'),
    });
  });
});
