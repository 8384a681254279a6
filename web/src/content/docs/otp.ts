import { limits } from '#contract/limits.js';
import { type OtpStatus, otpStatuses, otpTexts } from '#contract/otp-statuses.js';
import { apiCallPath, paths } from '../../paths.js';
import { site } from '../../site.js';
import {
  otpConversion,
  otpPage,
  pendingOtp,
  resentOtp,
  sentBySmsThenEmail,
  sentOtp,
  sentOwnOtp,
  shown,
  steps,
  verifiedOtp,
} from '../answers.js';
import { listed, otpCountries } from '../facts.js';
import { code, exchange, inEveryLanguage, list, type Markup, note, type Page, table } from '../page.js';

const verdictMeanings: Readonly<Record<OtpStatus, Markup>> = {
  verified: 'The code is correct. It works only once.',
  not_found: 'You sent no such code, or not to this number.',
  expired: 'The code was correct, but it has expired or was locked by wrong attempts.',
  already_used: 'The code was correct but has already been verified.',
};

/** The codes that give each answer to a test key. */
const testCodes: Readonly<Record<OtpStatus, string>> = {
  verified: '123456',
  not_found: '000001',
  expired: '000002',
  already_used: '000003',
};

const jsonRequest = `curl ${site.url}/api/verifyotp \\
  -H 'Accept: application/json' \\
  --data-urlencode to='+12025550142' \\
  --data-urlencode otp='123456' \\
  --data-urlencode apikey='YOUR_API_KEY'`;

// The code that test keys can send again, so that "Try it" succeeds.
const testOtpId = `OT${'1'.padStart(32, '0')}`;

const ownCodeRequest = `curl ${site.url}/api/sendotp \\
  --data-urlencode to='+12025550142' \\
  --data-urlencode org='Acme' \\
  --data-urlencode code='483920' \\
  --data-urlencode apikey='YOUR_API_KEY'`;

const resendRequest = `curl ${site.url}/api/resendotp \\
  --data-urlencode otp_id='${testOtpId}' \\
  --data-urlencode apikey='YOUR_API_KEY'`;

const findRequest = `curl ${site.url}/api/otps/${testOtpId} \\
  -H 'Authorization: Bearer YOUR_API_KEY'`;

const listRequest = `curl '${site.url}/api/otps?status=pending' \\
  -H 'Authorization: Bearer YOUR_API_KEY'`;

const conversionRequest = `curl ${site.url}/api/otp/conversion \\
  -H 'Authorization: Bearer YOUR_API_KEY'`;

const waits = limits.otpResendWaitsSeconds.map(String);
const { otpStepsMax, otpStepWaitSecondsMin, otpStepWaitSecondsMax, otpStepWaitSecondsDefault } = limits;

export const otp: Page = {
  path: paths.otp,
  title: 'OTP Verification',
  description: 'Send one-time passwords by SMS, WhatsApp, call or email, and verify them: two calls, in any language.',
  keywords: ['channels', 'voice', 'phone call', 'fallback'],
  intro: [
    'Two calls verify that a person owns a phone number: one sends a code to the phone, the other ' +
      'checks the code that the person entered. Pennytext creates, stores and deletes the codes. Where people have ' +
      `an app for codes, [authenticator apps](${paths.totp}) cost nothing.`,
    note(
      `One-time passwords are available for phone numbers in ${otpCountries}: \`otp\` in the answer of ` +
        `[GET /api/regions](${apiCallPath('regions')}) is true for each country. Other messages go to ` +
        `[more countries](${paths.regions}).`,
    ),
  ],
  sections: [
    {
      title: 'Send a code',
      blocks: [
        exchange(inEveryLanguage('send-otp'), code('Response of sendotp, HTTP 200', 'json', shown(sentOtp))),
        table(
          ['Field', 'Required', 'Description'],
          [
            ['`to`', 'yes', 'The phone number, in a country to which one-time passwords are sent.'],
            ['`apikey`', 'yes', 'Your API key, unless you send it as `Authorization: Bearer`.'],
            [
              '`org`',
              'no',
              `Who sends the code, up to ${limits.otpOrgCharactersMax} characters on one line. The ` +
                'text begins with it. A name that phones turn into a link counts as a URL.',
            ],
            [
              '`limit`',
              'no',
              `Minutes until the code expires: a whole number from ${limits.otpMinutesMin} to ` +
                `${limits.otpMinutesMax}, as a number or as text. Without it ${limits.otpMinutesDefault}.`,
            ],
            [
              '`length`',
              'no',
              `Digits of the code, from ${limits.otpDigitsMin} to ${limits.otpDigitsMax}. Without it ` +
                `${limits.otpDigitsDefault}.`,
            ],
            [
              '`channels`',
              'no',
              'Other ways to the person, in order, if the text message does not arrive: [channels in ' +
                'order](#channels-in-order). Without it SMS alone.',
            ],
            ['`max_credits`', 'no', 'The most that all `channels` together may cost, in credits.'],
            ['`code`', 'no', 'A code that you made and verify yourself: [your own code](#your-own-code).'],
            [
              '`domain`',
              'no',
              'The domain of your website. Phones then offer the code on your pages alone, and fill ' +
                'it in ([origin-bound codes](https://wicg.github.io/sms-one-time-codes/)). It counts as a URL, so ' +
                'your account needs activation.',
            ],
            [
              '`ip`',
              'no',
              'Network address of the end user who asked for the code, not of your server: the [fraud ' +
                'guard](#fraud-guard) counts by it.',
            ],
            [
              '`device`',
              'no',
              `Your name for the end user’s device, up to ${limits.otpDeviceCharactersMax} characters.`,
            ],
            [
              '`reference`',
              'no',
              `Your own name for the message, up to ${limits.referenceCharactersMax} characters, as ` +
                `for [\`sendsms\`](${paths.sendSms}).`,
            ],
            [
              '`delivery`, `hedge_seconds`',
              'no',
              `Whether another route is tried in doubt, \`fast\`, or only when that is safe, \`once\`: [if a carrier ` +
                `does not deliver](${paths.sendSms}#if-a-carrier-does-not-deliver). Without it \`fast\`.`,
            ],
          ],
        ),
        'The person receives this text; the second shows what `org` and `domain` add:',
        code('Without org', 'text', 'Your one-time verification code is 123456.'),
        code(
          'With org Acme and domain example.com',
          'text',
          'Message from Acme. Your one-time verification code is 123456.\n@example.com #123456',
        ),
        `A code costs ${limits.otpCredits} credit, whether it is verified or not; one that is not ` +
          'delivered, or expires before the carrier accepts it, costs nothing. The text must fit into one ' +
          `[segment](${paths.sendSms}#segments), which is ${limits.ucs2Characters.single} characters if \`org\` ` +
          'has one outside GSM-7; otherwise the answer is `message_too_long`. ' +
          'Codes are sent before all other messages. The daily limit, opt-outs and an ' +
          `\`Idempotency-Key\` work as for other messages.`,
      ],
    },
    {
      title: 'Channels in order',
      blocks: [
        'A code can go by several channels, one after the other and never at once. It stays one code with one ' +
          '`otp_id`, and is verified once, whichever message the person read:',
        exchange(
          inEveryLanguage('send-otp-channels'),
          code('Response to a code with channels, HTTP 200', 'json', shown(sentBySmsThenEmail)),
        ),
        table(
          ['`channel`', 'Credits', '`to`', 'What the person gets'],
          [
            ['`sms`', String(limits.otpCredits), 'another number, if you give one', 'The text above.'],
            [
              '`whatsapp`',
              '2',
              'another number, if you give one',
              'A message by the operator’s approved template for codes, without `org` and `domain`.',
            ],
            [
              '`voice`',
              '3',
              'another number, if you give one; landlines too',
              'A call that speaks the characters one by one, twice, after the name in `org`, in the language that ' +
                'your settings choose.',
            ],
            ['`email`', '1', 'the address: needed', 'An email with the text above, without `domain`.'],
          ],
        ),
        `The operator of this service decides which of them there are, and may have set other prices: the page ` +
          `[One-time passwords](${paths.dashboardOtp}) of the dashboard has both, and [\`POST ` +
          `/api/quote\`](${paths.prices}#price-of-a-one-time-password) has the prices for a body of \`sendotp\`. ` +
          `\`voice\` in [GET /api/regions](${apiCallPath('regions')}) is true for countries with calls. There are at ` +
          `most ${otpStepsMax} channels, each once. \`wait_seconds\` of a channel is from ${otpStepWaitSecondsMin} ` +
          `to ${otpStepWaitSecondsMax}, and ${otpStepWaitSecondsDefault} without it. A form sends the names alone: ` +
          '`channels=sms,voice`. `to` of the request stays the number of the person, which `verifyotp` takes. ' +
          '`from`, `delivery` and `hedge_seconds` are for the text message.',
        'The next channel begins',
        list(
          'within a second when a message failed for certain: the carrier refused it or could not deliver it, the ' +
            'line was busy, the call was unanswered or answered by a machine, or the mail server refused the address;',
          'when `wait_seconds` are over, unless the code was entered, or the message was reported as `delivered`. ' +
            'Emails have no such report;',
          'when you ask for it: [`resendotp`](#send-a-code-again), at any time.',
        ),
        'A message that was delivered ends the sequence: then only you begin another. So does the right code: a ' +
          'message that is being started at this moment is not sent, and is refunded, unless its carrier has it ' +
          'already. Nothing begins after the code has expired, so give waits that fit into `limit`. `next_channel` ' +
          'and `next_channel_at` are `null` when nothing follows.',
        'Each message is charged when its step begins, and refunded if the carrier does not take or deliver it; an ' +
          'email that the mail server has taken is not. `credits_max` is the price of all of them, here and in the ' +
          'answer of `POST /api/quote`. If it is more than `max_credits`, the answer is 409 `price_above_max`. When ' +
          'you send, the balance has to cover the first; a later one that the balance or the budget of the key does ' +
          'not cover is left out, and the next begins. The code counts once in your daily limit.',
        'The [fraud guard](#fraud-guard) counts every message by its number or address. A number is called at most ' +
          'twice an hour, by all accounts together. What it refuses later is left out too.',
        'These refuse the whole request. Nothing is sent or charged, also not by the channels before:',
        table(
          ['Answer', 'Reason'],
          [
            ['400 `channel_unsupported`', 'The operator has not set this channel up.'],
            [
              '403 `channel_disabled`',
              'The channel is closed for the country of the number. Calls are, unless the operator has opened it.',
            ],
            ['400 `number_type_unsupported`', 'A premium number, or a landline by SMS or WhatsApp.'],
            [
              '403 `recipient_opted_out`',
              'The person has said STOP to text messages. Codes then go by no other channel either, unless you ' +
                `allow it on the page [One-time passwords](${paths.dashboardOtp}) of the dashboard.`,
            ],
            ['400 `invalid_request`', 'A channel twice, a wrong wait, or an email without an address.'],
          ],
        ),
        '`GET /api/otps/{otp_id}`, the [list of codes](#all-codes-and-how-many-are-verified) and the events ' +
          `[\`otp.sent\` and \`otp.verified\`](${paths.webhooks}#codes-with-channels) have the messages as ` +
          '`steps`, and the one after which the code was entered as `entered_step`. That is the latest that had ' +
          'left, since the code is the same in all:',
        code('Steps of a code', 'json', shown({ channel: 'email', entered_step: 2, steps })),
        '`outcome` is `started` until the carrier has answered, `sent`, `delivered`, `undelivered`, `failed`, or ' +
          '`refused` if the message was left out. `reason` is a code of [delivery ' +
          `errors](${paths.deliveryErrors}) or of [errors](${paths.errors}); \`credits\` is what was charged and not ` +
          'refunded.',
      ],
    },
    {
      title: 'Your own code',
      blocks: [
        'Where another system already makes and checks the codes, such as an auth product, send one of them as `code`:',
        exchange(
          code('Curl: Send your own code', 'bash', ownCodeRequest),
          code('Response to your own code, HTTP 200', 'json', shown(sentOwnOtp)),
        ),
        `A code has ${limits.otpOwnCodeCharactersMin} to ${limits.otpOwnCodeCharactersMax} characters: digits, and ` +
          'capital letters without I, L and O, which people take for digits. Send it as text. Otherwise the answer ' +
          'is 400 `code_invalid`.',
        'The text, the price, the fraud guard, the limits and the refund are those of other codes, but Pennytext ' +
          'cannot verify it: the answer has `"managed": false`, `verifyotp` answers `OTP not found`, and its status ' +
          'is `unmanaged`. It is stored nowhere but in the text, which is encrypted until the carrier has it, so ' +
          '`resendotp` cannot repeat it: send it again with `sendotp`. `limit` is how long the message is worth ' +
          'sending. Such codes are in no figure of verified codes, and `conversion_hour` neither counts nor refuses ' +
          'them.',
        'With `channels` it goes by one of them, such as `[{"channel": "voice"}]`: it is not kept for another.',
      ],
    },
    {
      title: 'Send a code again',
      blocks: [
        exchange(
          code('Curl: Send the same code again', 'bash', resendRequest),
          code('Response of resendotp, HTTP 200', 'json', shown(resentOtp)),
        ),
        `The same code goes out in a new message, which costs ${limits.otpCredits} credit. The waits ` +
          `from one message to the next are ${listed(waits)} seconds; \`next_resend_at\` tells when, ` +
          `and is \`null\` when no resend is left. The code still expires at \`expires_at\`: a code of ` +
          `${limits.otpMinutesDefault} minutes has time for three. A refused resend costs nothing and uses up none.`,
        'A code with [channels](#channels-in-order) goes by its next channel, at any time, or by the one that you ' +
          'name in `channel`: those between follow it. It costs what its channel costs. After the last one, or for a ' +
          'channel that was used before, the same message goes out again, with these waits. Each message after the ' +
          'first uses up one resend.',
      ],
    },
    {
      title: 'State of a code',
      blocks: [
        exchange(code('Curl: Show a code', 'bash', findRequest), code('Response, HTTP 200', 'json', shown(pendingOtp))),
        `\`status\` is \`pending\`, \`verified\`, \`expired\`, \`exhausted\` (${limits.otpTriesMax} wrong ` +
          'attempts), `unmanaged` (your own code) or `blocked`, by the rule in `blocked_by`. `delivered_at` is ' +
          'when the first message with the code arrived. `steps` has its [channels](#channels-in-order), also for a ' +
          'code that went by SMS alone.',
      ],
    },
    {
      title: 'All codes, and how many are verified',
      blocks: [
        exchange(
          code('Curl: List codes', 'bash', listRequest),
          code('A page of codes, HTTP 200', 'json', shown(otpPage)),
        ),
        'Codes come newest first, never with their digits, and can be filtered by `status`, `channel`, `to`, ' +
          '`country`, `otp_id`, `reference`, `key_id`, `since` and `until`. They are kept until ' +
          `${limits.otpRememberedHours} hours after they end, refusals of the fraud guard for 25 hours; the ` +
          'messages of earlier ones are in `GET /api/messages`. The dashboard shows the same live.',
        exchange(
          code('Curl: Count what was verified', 'bash', conversionRequest),
          code('The conversion, HTTP 200', 'json', shown(otpConversion)),
        ),
        `The figures are of the last ${limits.deliverabilityDaysDefault} New York days, or of those from \`from\` ` +
          'to `to`. A code counts once, however often it was sent again. The figures are kept as long as your ' +
          'account. `channels` has the messages of codes with [channels](#channels-in-order) by channel and country, ' +
          'and how many codes were entered after them.',
      ],
    },
    {
      title: 'Verify a code',
      blocks: [
        exchange(inEveryLanguage('verify-otp'), code('Response of verifyotp, HTTP 200', 'text', otpTexts.verified)),
        table(
          ['Field', 'Required', 'Description'],
          [
            ['`otp`', 'yes', 'The code that the person entered, as text: it may begin with 0.'],
            ['`apikey`', 'yes', 'Your API key, unless you send it as `Authorization: Bearer`.'],
            ['`to`', 'recommended', 'The phone number the code was sent to.'],
            ['`otp_id`', 'recommended', 'The id that `sendotp` returned, in place of `to`.'],
          ],
        ),
        note(
          'Always send `to` or `otp_id`. Without it the code is checked against all your codes, so ' +
            'someone could sign in with a code sent to another person.',
        ),
        'Verifying costs nothing. If you send several codes to one number, each stays valid until it expires.',
      ],
    },
    {
      title: 'The four responses',
      blocks: [
        'The response is plain text:',
        table(
          ['Response', 'What it means'],
          otpStatuses.map((status) => [`\`${otpTexts[status]}\``, verdictMeanings[status]]),
        ),
        `Codes are kept for ${limits.otpRememberedHours} hours after they end, to tell the last three ` +
          `answers apart. When the same code is verified twice at the same moment, one answer is \`OTP ` +
          `verified\`.`,
        'Programs can request JSON:',
        exchange(
          code('Curl: Verify a code, asking for JSON', 'bash', jsonRequest),
          code('Response as JSON, HTTP 200', 'json', shown(verifiedOtp)),
        ),
        `\`status\` is \`verified\`, \`not_found\`, \`expired\` or \`already_used\`. \`to\` is the ` +
          'number whose code was verified: compare it with the number of the person who signs in. `expires_at` is ' +
          'when the code expires or expired; for a used code, when it was used. A ' +
          `request with a wrong key or wrong fields always gets a JSON [error](${paths.errors}): check ` +
          'the HTTP status first.',
      ],
    },
    {
      title: 'Wrong codes',
      blocks: [
        'Send the code as it was typed: digits of every script, spaces and dashes are read. What cannot be a code is ' +
          'not found, and is no attempt.',
        table(
          ['You send', 'A code that is not verified counts'],
          [
            ['`otp_id`', `Against this code, which is locked after ${limits.otpTriesMax}.`],
            ['`to`', `Against each live code of this number, which are locked after ${limits.otpTriesMax}.`],
            [
              'neither',
              `Against your account. It may be wrong 10,000 / (its live codes) times in ` +
                `${limits.otpGuessWindowSeconds / 60} minutes, at least 20 and at most 1,000 times, so that guessing ` +
                'finds a code in less than 1% of these windows. Then such calls get 429 until the window ends. For ' +
                'codes of 5 digits it is 1,000 / (live codes), for codes of 4 digits 100 / (live codes), down to none.',
            ],
          ],
        ),
        'So a stranger who guesses can keep your other users waiting if you send neither. Turn on **Require the ' +
          `recipient** on the page [One-time passwords](${paths.dashboardOtp}) of the dashboard: a \`verifyotp\` ` +
          'without `to` and `otp_id` then gets 400 `missing_fields`.',
        'One guess in 10,000 hits a code of four digits, so there are at most ' +
          `${limits.otpShortChancesMax} chances an hour for each of your recipients: every guess of four digits is ` +
          'one chance for each live four-digit code that it could be. After that, guesses of four digits for this ' +
          'number get 429, right or wrong. Without `to` and `otp_id` your account has ' +
          `${limits.otpShortGuessesMax} wrong guesses of four digits in ${limits.otpGuessWindowSeconds / 60} ` +
          'minutes, each of them a chance at all your four-digit codes.',
        'Codes come from a cryptographic random generator and are stored as a keyed hash and, while they are live, ' +
          'encrypted. The text of the message is encrypted until the carrier has it; your history shows it without ' +
          'the code.',
      ],
    },
    {
      title: 'Fraud guard',
      blocks: [
        'Codes cost money, so people request them for numbers that pay them. Before anything is charged, every code ' +
          'and every resend is checked against these rules, unless the operator has set others: ' +
          `[\`GET /api/otp/guard\`](${apiCallPath('otpGuard')}) has the current ones.`,
        table(
          ['Rule', 'Counts', 'Refuses beyond'],
          [
            ['`recipient_hour`', 'Messages with codes to this number or address, from all accounts', '5 an hour'],
            ['`recipient_day`', 'The same', '10 a day'],
            ['`ip_hour`', 'Your messages with this `ip`; of an IPv6 address its /64', '20 an hour'],
            ['`device_hour`', 'Your messages with this `device`', '20 an hour'],
            [
              '`block_hour`',
              'Your messages to numbers with the same calling code and next seven digits',
              '100 an hour',
            ],
            [
              '`conversion_hour`',
              'Your codes to such numbers in the last hour',
              '30 or more, of which fewer than 20% were verified; pending ones count as unverified',
            ],
            ['`call_hour`', 'Calls to this number, from all accounts', '2 an hour'],
            ['`caller_hour`', 'Calls of your account', '100 an hour'],
          ],
        ),
        'Without `ip` and `device` a script on your sign-up page is limited by numbers alone. They are stored as ' +
          'keyed hashes. Only recipients are counted across accounts, because the other values are what a caller ' +
          'claims.',
        'A refusal is 429 with `Retry-After`: `rate_limited`, or by `conversion_hour` `otp_suspicious` with the ' +
          'figures in `guard`. The first one of an hour by a rule is sent as the event ' +
          `[\`otp.blocked\`](${paths.webhooks}#events), and \`GET /api/otps/{otp_id}\` shows it as \`blocked\`; ` +
          'further ones have the same `otp_id`.',
        `If your codes are fine, such as after a fault in your page, reset \`conversion_hour\` on the page [One-time ` +
          `passwords](${paths.dashboardOtp}) of the dashboard, once an hour: codes that were sent before then no ` +
          'longer count.',
      ],
    },
    {
      title: 'Testing',
      blocks: [
        `With [\`_test\` appended to your key](${paths.testing}) nothing is sent, stored or charged, ` +
          'and these codes have fixed answers:',
        table(
          ['`otp`', 'Response'],
          otpStatuses.map((status) => [`\`${testCodes[status]}\``, `\`${otpTexts[status]}\``]),
        ),
        '`000004` is answered 429 `rate_limited`, any other code `OTP not found`.',
        'The number that you send to decides the outcome. Its `otp_id` is always `OT`, 31 zeros and the digit:',
        table(
          ['`to`', '`otp_id` ends in', 'State', '`resendotp`', '`verifyotp` with `otp_id`'],
          [
            ['`+15005550121`, and others', '1', '`pending`', 'sent', 'by the code'],
            ['`+15005550122`', '2', '`verified`', '409 `otp_not_resendable`', 'already used'],
            ['`+15005550123`', '3', '`expired`', '409 `otp_not_resendable`', 'expired'],
            ['`+15005550124`', '4', '`exhausted`', '409 `otp_not_resendable`', 'expired'],
            ['`+15005550125`', '5', '`blocked`', '409 `otp_not_resendable`', 'not found'],
            ['`+15005550126`', '6', '`pending`', '429 `otp_resend_too_early`', 'by the code'],
            ['`+15005550127`', '7', '`pending`, no resend left', '409 `otp_not_resendable`', 'by the code'],
            ['any, with `code`', '8', '`unmanaged`', '409 `otp_not_resendable`', 'not found'],
          ],
        ),
        'Numbers from `+15005550111` to `+15005550115` force the refusals of the fraud guard, by `recipient_hour`, ' +
          '`recipient_day`, `ip_hour`, `block_hour` and `conversion_hour`.',
      ],
    },
  ],
};
