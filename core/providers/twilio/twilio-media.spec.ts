import { filesOfRequest, mediaHeaders } from './twilio-media.js';

const accountSid = `AC${'1'.repeat(32)}`;
const api = { url: 'https://api.twilio.com', accountSid, authToken: 'secret' };
const headersOf = (url: string) => mediaHeaders(new URL(url), api);
const own = `https://api.twilio.com/2010-04-01/Accounts/${accountSid}/Messages/MM1/Media/ME1`;

describe('A URL of media at Twilio', () => {
  it('gets our credentials in our part of the API', () => {
    const basic = Buffer.from(`${accountSid}:secret`).toString('base64');
    expect(headersOf(own)).toEqual({ authorization: `Basic ${basic}` });
  });

  it.each([
    'https://mms.twiliocdn.com/AC1/abc?Expires=1',
    'https://media.twiliocdn.com/AC1/abc',
    'https://s3-external-1.amazonaws.com/media.twiliocdn.com/AC1/abc',
  ])('gets none in the storage: %s', (url) => {
    expect(headersOf(url)).toEqual({});
  });

  it.each([
    'https://api.twilio.com/2010-04-01/Accounts/AC2/Messages/MM1/Media/ME1',
    `https://api.twilio.com/other?${own}`,
    own.replace('https:', 'http:'),
    own.replace('api.twilio.com', 'api.twilio.com.example.com'),
    own.replace('api.twilio.com', 'api.twilio.com:8443'),
    own.replace('https://', 'https://api.twilio.com@example.com/'),
    'https://example.com/x',
    'http://mms.twiliocdn.com/x',
    'https://mms.twiliocdn.com:444/x',
    'https://mms.twiliocdn.com.example.com/x',
    'https://evil-mms.twiliocdn.com/x',
    'https://s3-external-1.amazonaws.com/another-bucket/x',
    'https://s3-external-1.amazonaws.com/another-bucket/media.twiliocdn.com/x',
    'http://169.254.169.254/latest',
  ])('is not fetched elsewhere: %s', (url) => {
    expect(headersOf(url)).toBeUndefined();
  });

  it('gets our credentials from what stands in for Twilio alone', () => {
    const sandbox = { ...api, url: 'http://127.0.0.1:4000' };
    const path = `/2010-04-01/Accounts/${accountSid}/Messages/MM1/Media/ME1`;
    expect(mediaHeaders(new URL(`http://127.0.0.1:4000${path}`), sandbox)).toHaveProperty('authorization');
    expect(mediaHeaders(new URL(`http://127.0.0.1:4001${path}`), sandbox)).toBeUndefined();
    expect(mediaHeaders(new URL(own), sandbox)).toBeUndefined();
  });
});

describe('The files of a request', () => {
  it('are those that it names, with types that look like types', () => {
    expect(
      filesOfRequest({
        NumMedia: '3',
        MediaUrl0: own,
        MediaContentType0: 'image/jpeg',
        MediaUrl1: ['a', 'b'],
        MediaContentType1: 'image/<script>',
        MediaUrl2: 'x'.repeat(2_049),
        MediaUrl3: own,
      }),
    ).toEqual([
      { url: own, type: 'image/jpeg' },
      { url: '', type: undefined },
      { url: '', type: undefined },
    ]);
  });

  it('are none without a number', () => {
    expect(filesOfRequest({ MediaUrl0: own })).toEqual([]);
  });
});
