import { paths } from '../../paths.js';
import { site } from '../../site.js';
import { refusal, shown, tested } from '../answers.js';
import { code, exchange, list, type Page } from '../page.js';

const testRequest = `curl ${site.url}/api/sendsms \\
  --data-urlencode to='+12025550142' \\
  --data-urlencode message='Hello from Pennytext' \\
  --data-urlencode apikey='YOUR_API_KEY_test'`;

const wrongNumber = testRequest.replace('+12025550142', '+1202');

export const testing: Page = {
  path: paths.testing,
  title: 'Testing the API',
  description: 'Add _test to your API key: everything is checked, and nothing is sent, charged or stored.',
  intro: [
    'Append `_test` to your API key. Calls then check everything and change nothing: no message is ' +
      'sent, no credit is used, nothing is stored.',
    `Or create a separate [test key](${paths.keys}), which begins with \`pt_test_\` and cannot send ` +
      'anything if it leaks.',
  ],
  sections: [
    {
      title: 'A message that would be sent',
      blocks: [
        exchange(code('Curl: A test', 'bash', testRequest), code('Response, HTTP 200', 'json', shown(tested))),
        '`test` is `true`, so that you notice a test key that was left in a program. `segments` and ' +
          '`credits` show what the message would have used; `balance` is an example.',
      ],
    },
    {
      title: 'A message that would be rejected',
      blocks: [
        exchange(
          code('Curl: A test with an invalid number', 'bash', wrongNumber),
          code(
            'Response, HTTP 400',
            'json',
            shown(refusal('invalid_number', 'This is not a valid phone number. Write it with + and country code.')),
          ),
        ),
      ],
    },
    {
      title: 'What a test key checks',
      blocks: [
        list(
          'The fields, the key, the number, the country, the segments, URLs, and whether the recipient has opted out.',
          'It does not check the balance or the daily limit: tests work with 0 credits.',
          'Tests count against rate limits.',
          'The `message_id` of a test is an example. A test key reads examples, never your messages or your balance.',
        ),
      ],
    },
    {
      title: 'One-time passwords',
      blocks: [
        `With a test key \`POST /api/sendotp\` stores nothing, and \`POST /api/verifyotp\` has a ` +
          `fixed code for each of its answers: [test codes](${paths.otp}#testing).`,
      ],
    },
  ],
};
