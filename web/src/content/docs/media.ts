import { limits } from '#contract/limits.js';
import { paths } from '../../paths.js';
import { acceptedMms, refusal, shown, uploadedMedia } from '../answers.js';
import { count } from '../facts.js';
import { code, exchange, inEveryLanguage, list, note, type Page, table } from '../page.js';

const { messageMediaMax, messageMediaBytesMax, mmsBytesMax, mmsTollFreeBytesMax, mmsTextCharactersMax } = limits;

export const media: Page = {
  path: paths.media,
  title: 'Send pictures',
  keywords: ['media', 'MMS', 'photo', 'image', 'attachment', 'file'],
  description: 'Messages with pictures and other files (MMS): by URL or upload, what they cost, and what phones take.',
  intro: [
    `\`media\` makes a message an MMS: up to ${messageMediaMax} pictures or other files, beside a text or ` +
      `without one. It costs ${limits.mmsCreditsDefault} credits, whatever it holds, and goes to numbers of ` +
      'the USA and Canada.',
  ],
  sections: [
    {
      title: 'By URL',
      blocks: [
        exchange(inEveryLanguage('send-media'), code('Response, HTTP 200', 'json', shown(acceptedMms))),
        'Each file is `{"url": …}` or `{"media_id": …}`; a form repeats the field `media`. URLs are fetched ' +
          `before the answer, within ${limits.mediaFetchSeconds} seconds and with at most 3 redirects, from public ` +
          'addresses only, and kept as files of yours, so that no message depends on a page that changes later. If ' +
          'one cannot be fetched, nothing is sent and nothing is charged.',
        list(
          `The text may have ${count(mmsTextCharactersMax)} characters; it is one segment, in any alphabet.`,
          '`media` in the answer has each file as it is sent, with a link to it that works without a key for ' +
            `${limits.mediaLinkDaysMax} days. Messages, records and the dashboard show the same.`,
          `With an [Idempotency-Key](${paths.idempotency}) a repeated request fetches nothing again: it gets the ` +
            'first answer, even if the URL leads nowhere any more.',
          `[\`sendbulk\`](${paths.bulk}) takes the same fields, for all of its messages.`,
        ),
      ],
    },
    {
      title: 'Upload',
      blocks: [
        'Upload a file once and name its id in as many messages as you like. The body is `multipart/form-data`, or ' +
          '`{"url": …}` as JSON:',
        exchange(inEveryLanguage('upload-media'), code('Response: the file, HTTP 200', 'json', shown(uploadedMedia))),
        `With an [Idempotency-Key](${paths.idempotency}) a repeated upload gets the first answer, with the first id. ` +
          'Without one, each upload has an id of its own, also of a file that you have uploaded before.',
        `A file has at most ${count(messageMediaBytesMax)} bytes. It is kept for ${limits.mediaKeptDays} days and ` +
          'until the last message that has it has left, whichever is later. An account stores ' +
          `${count(limits.mediaPerDayMax)} files or ${limits.mediaBytesPerDayMax / 1_048_576} MiB within 24 hours, ` +
          'and a tenth before it has bought credits. ' +
          '`GET /api/media/{media_id}` returns it. An upload that brings less than ' +
          `${count(limits.uploadBytesPerSecondMin)} bytes a second on average ends with HTTP 408.`,
      ],
    },
    {
      title: 'Types',
      blocks: [
        'What counts are the bytes of a file, not its name:',
        table(
          ['Kind', 'Types'],
          [
            ['Pictures', 'JPEG, PNG, GIF, also animated; WebP is sent as JPEG'],
            ['Video', 'MP4, 3GP, QuickTime'],
            ['Audio', 'MP3, M4A, AMR, OGG'],
            ['Documents', 'PDF, vCard, iCalendar'],
          ],
        ),
        'Everything else, such as SVG and HTML, is refused with `media_type`. Phones differ in which videos and ' +
          'documents they show; JPEG, PNG and GIF arrive everywhere.',
      ],
    },
    {
      title: 'Sizes',
      blocks: [
        `All files of a message have at most ${count(messageMediaBytesMax)} bytes together. Networks take less: ` +
          `${count(mmsBytesMax)} bytes from ordinary numbers, ${count(mmsTollFreeBytesMax)} from toll-free numbers, ` +
          'short codes and messaging services. Larger pictures are made smaller: a JPEG with the same sides, or ' +
          'smaller ones, turned upright and without the place where it was taken. `original_id` then names the file ' +
          'that you gave.',
        list(
          'Animated GIFs, videos and documents are never changed: a message whose files do not fit is refused with ' +
            '`media_too_large`.',
          '`"transcode": false` refuses a picture that would have to be made smaller.',
        ),
        code(
          'Response, HTTP 413',
          'json',
          shown(
            refusal(
              'media_too_large',
              `Networks take ${count(mmsBytesMax)} bytes of files from the sender of this message; these have ` +
                '1,482,113 and cannot be made small enough. You were not charged.',
            ),
          ),
        ),
      ],
    },
    {
      title: 'Fallback',
      blocks: [
        'Other countries have no MMS: such a message is refused with `media_unsupported`. With `"media_fallback": ' +
          '"link"` it is sent as a text that ends with a link to each file, at the price of that text. Links are ' +
          'URLs, so this needs an account that is activated for URLs.',
        note(
          `The links work for ${limits.mediaLinkDaysMax} days, for everyone who has them. Do not send what must stay ` +
            'secret.',
        ),
      ],
    },
  ],
};
