import { faultText } from './faults.js';
import { sendSmsBody } from './messages.js';

describe('media of a message', () => {
  const faults = (media: unknown) =>
    sendSmsBody
      .safeParse({ media }, { error: faultText })
      .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

  it.each([{}, null, 5, [], { url: 5 }, { media_id: {} }, { src: 'x' }, { url: 'a', media_id: 'b' }])(
    'refuses %j as a file, and names what is expected',
    (file) => {
      expect(faults([file])).toEqual(['media.0: must be {"url": "…"} or {"media_id": "…"}']);
    },
  );

  it('names the field of a file that is empty', () => {
    expect(faults([{ url: '' }])).toEqual(['media.0.url: must not be empty']);
    expect(faults([{ media_id: '' }])).toEqual(['media.0.media_id: must not be empty']);
  });
});
