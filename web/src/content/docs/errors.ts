import { errorCatalogue, type ErrorCode, errorText, publicCode } from '#contract/errors.js';
import { limits } from '#contract/limits.js';
import { paths } from '../../paths.js';
import { site } from '../../site.js';
import { refusal, shown } from '../answers.js';
import { errorGuide } from '../error-guide.js';
import { code, list, type Page, table } from '../page.js';

const requestIdSample = `curl -i ${site.url}/api/balance \\
  -H 'Authorization: Bearer YOUR_API_KEY'

HTTP/1.1 200 OK
X-Request-Id: 4b1c0f2e-8d53-4b7e-9a51-0c2f6d7e8a90`;

export const errors: Page = {
  path: paths.errors,
  title: 'Errors',
  description: 'Every code the API can refuse a request with: HTTP status, text, when it happens and what to do.',
  intro: ['A rejected request sends nothing and costs nothing. The response tells you why.'],
  sections: [
    {
      title: 'What an error looks like',
      blocks: [
        code(
          `HTTP ${errorCatalogue.missing_fields.status}`,
          'json',
          shown(refusal('missing_fields', '"message" is missing or empty.')),
        ),
        list(
          'Programs should check `code`, which never changes.',
          '`error` is one of a few fixed texts; several codes share `Failed to send SMS`.',
          '`detail` explains it to people and may change.',
        ),
      ],
    },
    {
      title: 'The call that would succeed',
      blocks: [
        'Where exactly one other call would do what the refused one was meant to, the answer carries it as `fix`:',
        code(
          `HTTP ${errorCatalogue.invalid_number.status} with a fix`,
          'json',
          shown(
            refusal('invalid_number', 'This is not a valid phone number. Write it with + and country code.', {
              call: 'POST /api/sendsms',
              body: { to: '+447400123456', message: 'Hello' },
            }),
          ),
        ),
        '`call` is its method and path, `body` all its fields as JSON. Add your key, as `apikey` or ' +
          '`Authorization: Bearer`; the `Idempotency-Key` can be the same, since a refused call changed nothing.',
        table(
          ['`code`', 'What `fix` changes'],
          [
            [
              '`invalid_number`',
              '`to`, of a number without its `+`, or with `00` in its place, that can only be one. Up to ten ' +
                'digits are dialed in the USA.',
            ],
            [
              '`missing_fields`',
              'Fields under a misspelled name, or one of another service, such as `phone` and `text`',
            ],
            [
              '`invalid_request`',
              'A number where text belongs, except in `otp`, whose leading 0 it has lost; an `encoding` in other ' +
                'letters',
            ],
            [
              '`encoding_unsupported`, `message_too_long`, `price_above_max`',
              '`encoding`: `smart`, if that is enough; never a higher `max_credits`',
            ],
            [
              '`invalid_send_at`',
              'A space for its `T` or `+`, missing seconds or colon; no `send_at` if it passed within the hour',
            ],
            ['`quote_expired`', '`quote`: a new one, if the price still holds'],
            ['`bulk_rejected`', '`partial`: `true`, if some items can be sent'],
          ],
        ),
        'It costs at most what you had accepted, keeps every field that you sent, never contains your key, and is ' +
          `left out for bodies over ${limits.fixedBodyBytesMax / 1_024} KiB or with fields that the call does not ` +
          'have. Rules about your account or the recipient can still refuse it. ' +
          'No other refusal has one: an `Idempotency-Key` that was used for another body, for example, needs you to ' +
          'decide whether there shall be a second message. The APIs for Twilio’s and Textbelt’s programs have none.',
      ],
    },
    {
      title: 'The request id',
      blocks: [
        code('Curl: Show the headers', 'bash', requestIdSample),
        'Every answer has the header `X-Request-Id`, errors too. Log it with `code`: it finds the ' +
          'call in your dashboard under **Requests**, and support needs it to find yours.',
        list(
          'Send an `X-Request-Id` of your own (1 to 64 letters, digits or `. _ : -`), and the answer has the same one.',
          '**Requests** lists your calls of the last 7 days, including refused ones: time, status, `code`, ' +
            'duration, key, and the message if there is one.',
          'Texts, codes and keys are never part of it, and phone numbers are masked.',
          'A call whose key is not yours, or mistyped, is in no list: the service cannot know whose it is.',
        ),
      ],
    },
    {
      title: 'All codes',
      blocks: [
        'If several apply, you get the first one in this list: the limit of your address is checked first, then the ' +
          'key, its limits, and the content. `Retry-After` is set on every 429, and on a 503 when a retry is ' +
          'worthwhile. An `unavailable` may have been accepted all the same: its `detail` tells so.',
        {
          kind: 'entries',
          entries: errorGuide.map(({ code: key, when, remedy }) => ({
            name: key,
            tag: tagOf(key),
            text: [when, remedy],
          })),
        },
      ],
    },
    {
      title: 'The texts',
      blocks: [
        'Calls that send nothing, such as those of numbers and pools, have another sentence in place of a text of ' +
          'this list that speaks of sending: `The request was refused.` Programs rely on `code`.',
        table(
          ['`error`', '`code`'],
          [...textsOfCodes()].map(([text, codes]) => [text, codes.map((key) => `\`${key}\``).join(', ')]),
        ),
      ],
    },
  ],
};

/** Every error text of the API with its codes. */
function textsOfCodes(): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const { code: key } of errorGuide) {
    const text = errorText(key, '{message}');
    const codes = texts.get(text) ?? [];
    if (!codes.includes(publicCode(key))) codes.push(publicCode(key));
    texts.set(text, codes);
  }
  return texts;
}

/** The status, and the public code if it differs. */
function tagOf(key: ErrorCode): string {
  const status = `HTTP ${errorCatalogue[key].status}`;
  return publicCode(key) === key ? status : `${status}, code ${publicCode(key)}`;
}
