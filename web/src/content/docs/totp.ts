import { limits } from '#contract/limits.js';
import { apiCallPath, paths } from '../../paths.js';
import { site } from '../../site.js';
import { createdTotp, recoveryCodes, shown, testTotp, totpShown, verifiedTotp } from '../answers.js';
import { code, exchange, note, type Page, table } from '../page.js';

const { totpTriesMax: triesMax, totpLockMinutes: lockMinutes, totpStepSeconds: stepSeconds } = limits;

// The authenticator of test keys, so that "Try it" succeeds.
const { totp_id: testTotpId, secret: testSecret } = testTotp;

const createRequest = `curl ${site.url}/api/totp \\
  --data-urlencode label='alice@example.com' \\
  --data-urlencode issuer='Acme' \\
  --data-urlencode apikey='YOUR_API_KEY'`;

const verifyRequest = `curl ${site.url}/api/totp/${testTotpId}/verify \\
  --data-urlencode code='123456' \\
  --data-urlencode apikey='YOUR_API_KEY'`;

const recoveryRequest = `curl -X POST ${site.url}/api/totp/${testTotpId}/recovery-codes \\
  -H 'Authorization: Bearer YOUR_API_KEY'`;

const findRequest = `curl ${site.url}/api/totp/${testTotpId} \\
  -H 'Authorization: Bearer YOUR_API_KEY'`;

const deleteRequest = `curl -X DELETE ${site.url}/api/totp/${testTotpId} \\
  -H 'Authorization: Bearer YOUR_API_KEY'`;

export const totp: Page = {
  path: paths.totp,
  title: 'Authenticator Apps',
  description: 'Codes of an authenticator app in place of an SMS: free, with a QR code, recovery codes and a lock.',
  intro: [
    'An authenticator app on a person’s phone, such as Google Authenticator, 1Password or Aegis, shows a code of ' +
      `${limits.totpDigits} digits that changes every ${stepSeconds} seconds. It needs no network and no SMS, and ` +
      'costs nothing. Pennytext makes the secret that the app and the server share, keeps it, and verifies the codes.',
  ],
  sections: [
    {
      title: 'Set it up',
      blocks: [
        exchange(
          code('Curl: Create an authenticator', 'bash', createRequest),
          code('Response with the secret, HTTP 200', 'json', shown(createdTotp)),
        ),
        table(
          ['Field', 'Required', 'Description'],
          [
            [
              '`label`',
              'yes',
              `Names the person’s account in the app, up to ${limits.totpLabelCharactersMax} characters: an email ` +
                'address or a user name.',
            ],
            ['`issuer`', 'no', `Your name in the app, up to ${limits.totpIssuerCharactersMax} characters.`],
            ['`apikey`', 'yes', 'Your API key, unless you send it as `Authorization: Bearer`.'],
          ],
        ),
        'Both are one line without a colon, because the app reads `issuer:label`. Show `qr_svg` on your page for the ' +
          'person to scan, and `secret` for one who cannot; on the phone itself `otpauth_url` is a link that opens ' +
          'the ' +
          'app. Store `totp_id` with the person’s account.',
        note(
          '`secret`, `otpauth_url` and `qr_svg` are answered once, and each of them is enough to make the codes. ' +
            'Do ' +
            'not log or store them. If they are lost before the app has them, delete the authenticator and create ' +
            'another.',
        ),
        'Then ask for a code and verify it. Only when it is `verified` turn the second factor on: `verified_at` is ' +
          '`null` for a person who has not come so far.',
      ],
    },
    {
      title: 'Verify a code',
      blocks: [
        exchange(
          code('Curl: Verify a code of an app', 'bash', verifyRequest),
          code('Response to a right code, HTTP 200', 'json', shown(verifiedTotp)),
        ),
        'Send the code as the person typed it, as text: it may begin with 0. Spaces and dashes are read.',
        table(
          ['`status`', 'What it means'],
          [
            ['`verified`', 'The code is right. It does not work again.'],
            ['`wrong`', 'The code is not right, or is no code. `attempts_left` has the tries that remain.'],
            ['`used`', 'This code, or a later one, was accepted before. Ask for the next one.'],
            [
              '`locked`',
              `${triesMax} codes were wrong since the last one that was accepted. For ${lockMinutes} minutes, until ` +
                '`locked_until`, no code is looked at.',
            ],
          ],
        ),
        `Clocks of phones differ, so a code is also accepted ${stepSeconds} seconds before and after it is shown. ` +
          'When two calls send the same code at the same moment, one is `verified` and the other `used`. Wrong codes ' +
          `are counted one by one on all servers: of ${triesMax + 1} that arrive together ${triesMax} are judged. A ` +
          'text that cannot be a code, and a used one, count as no try. A stranger can lock an authenticator by ' +
          'guessing, so ask for the password first.',
      ],
    },
    {
      title: 'Recovery codes',
      blocks: [
        exchange(
          code('Curl: Make recovery codes', 'bash', recoveryRequest),
          code('Response with the codes, HTTP 200', 'json', shown(recoveryCodes)),
        ),
        `A person who has lost the phone enters one of ${limits.totpRecoveryCodes} codes. They are shown once, ` +
          `stored ` +
          'as keyed hashes, and replace earlier ones. Send them to the same call as codes of the app: the answer has ' +
          '`"method": "recovery_code"`, and `recovery_codes_left`. Each is accepted once and then `used`; small ' +
          'letters are read, and O, I and L for digits. They do not work while the authenticator is locked.',
      ],
    },
    {
      title: 'State, and how to delete one',
      blocks: [
        exchange(
          code('Curl: Show an authenticator', 'bash', findRequest),
          code('The state, HTTP 200', 'json', shown(totpShown)),
        ),
        `[\`GET /api/totp\`](${apiCallPath('listTotps')}) lists all of them, ${limits.totpsPageSize} per page, ` +
          `newest ` +
          'first. Secrets are never shown.',
        code('Curl: Delete an authenticator', 'bash', deleteRequest),
        'It stays until you delete it, or your account. Delete it when a person turns it off, or gets a new phone. ' +
          'An ' +
          `account has up to ${limits.totpsMax.toLocaleString('en-US')}; a further one is refused as ` +
          `\`totp_limit\`. A ` +
          `[named key](${paths.keys}) needs the scope \`otp\`.`,
        'Secrets are encrypted at rest. Neither they nor codes are in the log of your requests.',
      ],
    },
    {
      title: 'Testing',
      blocks: [
        `With [\`_test\` appended to your key](${paths.testing}) nothing is stored, counted or locked, and your own ` +
          `authenticators are not found. There is one, \`${testTotpId}\`, which every \`POST /api/totp\` answers ` +
          `with ` +
          `the secret \`${testSecret}\`: an app that has scanned its QR code works. These codes have fixed answers:`,
        table(
          ['`code`', '`status`', '`method`'],
          [
            ['`123456`', '`verified`', '`app`'],
            ['`000002`', '`used`', '`app`'],
            ['`000003`', '`locked`', '`null`'],
            ['`TEST0-00000` to `TEST0-00008`', '`verified`', '`recovery_code`'],
            ['`TEST0-00009`', '`used`', '`recovery_code`'],
            ['any other, unless the app shows it', '`wrong`', '`null`'],
          ],
        ),
      ],
    },
  ],
};
