import { mediaHeaders, telnyxMedia } from './telnyx-media.js';

const headersOf = (url: string) => mediaHeaders(new URL(url), 'https://api.telnyx.com');

describe('A URL of media at Telnyx', () => {
  it.each([
    'https://api.telnyx.com/v2/media/1',
    'https://us-east-1.telnyxcloudstorage.com/mms/1?X-Amz-Signature=1',
    'https://us-central-1.telnyxstorage.com/mms/1',
    'https://media.telnyx.com/1',
  ])('is fetched without credentials: %s', (url) => {
    expect(headersOf(url)).toEqual({});
  });

  it.each([
    'http://media.telnyx.com/1',
    'https://media.telnyx.com:8443/1',
    'https://nottelnyx.com/1',
    'https://telnyx.com.example.com/1',
    'https://example.com/telnyx.com',
    'http://127.0.0.1/1',
  ])('is not fetched elsewhere: %s', (url) => {
    expect(headersOf(url)).toBeUndefined();
  });
});

describe('The files of an event', () => {
  it.each([
    [undefined, []],
    [null, []],
    ['none', []],
    [
      [{ url: 'https://media.telnyx.com/1', content_type: 'image/png', size: 3 }],
      [['https://media.telnyx.com/1', 'image/png']],
    ],
    [
      [{ url: 7 }, 'x', null],
      [
        ['', undefined],
        ['', undefined],
        ['', undefined],
      ],
    ],
  ])('are read of %j', (given, files) => {
    expect(telnyxMedia.parse(given)).toEqual(files.map(([url, type]) => ({ url, type })));
  });

  it('are twenty at most', () => {
    expect(
      telnyxMedia.parse(Array.from({ length: 1_000 }, () => ({ url: 'https://media.telnyx.com/1' }))),
    ).toHaveLength(20);
  });
});
