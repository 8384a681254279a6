import { deliverabilityAnswer } from '../deliverability.js';
import { z } from 'zod';
import { balanceAnswer } from '../credits.js';
import { limits } from '../limits.js';
import { otpChannels } from '../otp-channels.js';
import { messageMedia, uploadMediaAnswer, uploadMediaBody } from '../message-media.js';
import { notificationsAnswer } from '../notifications.js';
import { messageRecordAnswer, attemptOutcomes, attemptReasons, recordCauses } from '../message-record.js';
import {
  type Delivery,
  failureAnswer,
  messageAnswer,
  messagesAnswer,
  messageView,
  priceQuoteAnswer,
  sendSmsAnswer,
  sendSmsBody,
} from '../messages.js';
import {
  otpAnswer,
  otpConversionAnswer,
  otpGuardAnswer,
  otpQuoteAnswer,
  otpsAnswer,
  otpView,
  resendOtpBody,
  sendOtpAnswer,
  sendOtpBody,
  verifyOtpAnswer,
  verifyOtpBody,
} from '../otp.js';
import { optOutsAnswer } from '../opt-outs.js';
import { exposureAnswer, exposureSwitches } from '../exposure.js';
import { spendAnswer } from '../spend.js';
import { qualityAnswer, regionsAnswer, statusAnswer } from '../public-figures.js';
import { triggeredEventAnswer, triggerEventBody } from '../webhooks.js';
import type { Schema } from './document.js';

/** Documentation of a field beyond its type. */
interface FieldNote {
  readonly description: string;
  /** The call is refused with its own error if the field is missing or empty. */
  readonly required?: boolean;
  /** JSON Schema keywords without a counterpart in zod. */
  readonly keywords?: Schema;
}

type Notes<S extends z.ZodObject> = Readonly<Record<keyof S['shape'] & string, FieldNote>>;

const recipient = {
  description:
    'Phone number of the recipient with `+` and country code. Numbers without `+` are treated as US numbers.',
  required: true,
  keywords: { examples: ['+12025550142'] },
};
const apikey = {
  description:
    'Your API key, unless it is sent as `Authorization: Bearer`. Append `_test` to check a request: ' +
    'nothing is sent, stored or charged.',
};
const reference = {
  description:
    `Your own reference for the message, up to ${limits.referenceCharactersMax} characters. It is ` +
    'returned in answers and webhooks.',
};
const from = {
  description:
    'A number of your account, or the id of one or of a pool. Without it: the number that the recipient knows, ' +
    'otherwise one of your default pool, otherwise one that the service chooses.',
};
/** Forms send numbers as text, so both types are accepted. */
const wholeNumber = (minimum: number, maximum: number, fallback?: number): Schema => ({
  type: ['integer', 'string', 'null'],
  minimum,
  maximum,
  ...(fallback !== undefined && { default: fallback }),
});

export const success = { description: 'The string `true` if the call succeeded.' };
const messageId = {
  description: 'Id of the message: `SM` and 32 hex digits.',
  keywords: { pattern: '^SM[0-9a-f]{32}$' },
};

const otpId = {
  description: 'Id of the one-time password: `OT` and 32 hex digits.',
  keywords: { pattern: '^OT[0-9a-f]{32}$' },
};

const otpNotes = {
  otp_id: otpId,
  status: {
    description:
      'State of the code. All but `pending` are final; `exhausted`: too many wrong attempts; `blocked`: refused by ' +
      'the fraud guard, never sent; `unmanaged`: you made the code, and verify it yourself.',
  },
  to: { description: 'The recipient in E.164 format.' },
  country: { description: 'Country of the recipient, as ISO 3166-1 alpha-2 code.' },
  message_id: { description: 'Id of the latest message with the code; `null` if it was never sent.' },
  messages: {
    description:
      'The messages with the code, in order: the first one and each resend, with their `status` (`null` if the ' +
      'message was never accepted) and the `reason` if it was not delivered.',
  },
  delivered_at: { description: 'When the first of them was delivered; `null` if none was, or it is not known yet.' },
  reference: { description: 'Your own reference for the message.' },
  attempts: { description: 'Attempts to verify this code, the right one included.' },
  attempts_left: { description: 'Wrong attempts left before the code becomes invalid.' },
  resends_left: { description: 'How often the code can still be sent again.' },
  next_resend_at: { description: 'When the code can be sent again; `null` if it cannot.' },
  key_id: { description: "The named key that sent the code; `null` for the account's own key." },
  key_name: { description: 'Its name; `null` also if it was revoked.' },
  blocked_by: { description: 'The rule of the fraud guard that refused the code; `null` if none did.' },
  channel: { description: 'Channel of the latest message.' },
  next_channel: { description: 'Channel that is tried next; `null` if none is.' },
  next_channel_at: { description: 'When it is tried, unless the code is entered before; `null` if none is.' },
  steps: {
    description:
      'The messages with their channels, in order. `outcome`: `started` while the carrier has not answered, ' +
      '`refused` if nothing was sent or charged, otherwise the state of the message; `reason`: why it did not ' +
      'arrive; `credits`: without refunds.',
  },
  entered_step: {
    description:
      'The `n` of the step after which the code was entered: the latest that had left, because all have the same ' +
      'code. `null` while the code is not verified.',
  },
  created_at: { description: 'When the code was sent first, in UTC.' },
  last_attempt_at: { description: 'The last attempt to verify this code; `null` if there was none.' },
  verified_at: { description: 'When the code was verified; `null` if it was not.' },
  expires_at: { description: 'When the code expires or has expired.' },
  ended_at: { description: 'When the code was verified, expired or became invalid; `null` while it is pending.' },
};

const messageNotes = {
  message_id: messageId,
  to: { description: 'The recipient in E.164 format.' },
  from: { description: 'The sender; `null` until the carrier accepts the message.' },
  message: { description: 'The text. OTPs are masked with asterisks.' },
  status: { description: 'State of the message. The last four are final.' },
  segments: { description: 'Number of segments.' },
  credits: { description: 'Price of the message in credits.' },
  refunded: { description: 'Credits that were refunded: all of them if the message was not delivered.' },
  reference: { description: 'Your own reference for the message.' },
  error_code: { description: 'Why the message was not delivered, as a code of ours; `null` if there was no error.' },
  carrier_error: { description: 'Error code of the carrier.' },
  reason: {
    description:
      'Why the message was not delivered, in words; `null` if there was no error. `code`: the carrier’s ' +
      'if there is one, else ours. `permanent`: the same message to the same number would fail again.',
  },
  delivery: { description: 'Whether another route is tried only when that is safe, `once`, or also in doubt, `fast`.' },
  attempts: {
    description:
      'Number of hand-overs to carriers, including those that a carrier did not take. `attempt_list` of the record ' +
      'has a row for each.',
  },
  created_at: { description: 'When the message was accepted, in UTC.' },
  send_at: { description: 'When a scheduled message leaves; `null` for one that left at once.' },
  expires_at: {
    description: 'The message fails if the carrier does not have it by then; `null` without `validity`.',
  },
  sent_at: { description: 'When the carrier accepted the message.' },
  finished_at: { description: 'When the message reached its final state.' },
  kind: { description: 'Present for a message with files.' },
  media: {
    description:
      'Present for a message with files, as long as they are known: each as it is sent. `original_id`: present if ' +
      'the picture was made smaller for the networks; the id of the file that it was made of.',
  },
};

const mediaFileNotes = {
  media_id: { description: 'Id of the file: `ME` and 32 hex digits.', keywords: { pattern: '^ME[0-9a-f]{32}$' } },
  type: { description: 'Its media type, as its bytes show it.' },
  bytes: { description: 'Its size.' },
  sha256: { description: 'SHA-256 of its bytes, in hex digits.' },
};

const countOf = (value: number) => value.toLocaleString('en-US');

/** Fields of a message with files; a bulk's files are the same for all of its messages. */
export const mediaNotes = {
  media: {
    description:
      `Pictures and other files, at most ${limits.messageMediaMax}, together ` +
      `${countOf(limits.messageMediaBytesMax)} bytes: ` +
      'each is `{"url": …}`, which is fetched before the answer, or `{"media_id": …}` of ' +
      '`POST /api/media`. A form repeats the field, with a URL or an id. The message is then an MMS, for numbers of ' +
      'the USA and Canada.',
    keywords: { examples: [[{ url: 'https://example.com/menu.jpg' }]] },
  },
  media_fallback: {
    description:
      'Handling of files where MMS is not possible. `refuse` (default): `media_unsupported`. `link`: a text that ' +
      'ends with ' +
      'links to the files, at the price of a text, for accounts that are activated for URLs.',
    keywords: { default: 'refuse' },
  },
  transcode: {
    description:
      'Whether pictures that are larger than the networks take are made smaller; animated ones never are. With ' +
      '`false` they are refused.',
    keywords: { default: true },
  },
};

export const exampleNote = { description: 'Present if the key was a test key: this is an example.' };

/** A request with a placeholder is refused with a text that names it; an invented id would look real. */
const EXAMPLE_OTP_ID = 'YOUR_OTP_ID';

const hedgeSeconds = {
  description:
    `Seconds, from ${limits.hedgeSecondsMin} to ${limits.hedgeSecondsMax}: without a receipt for so long, a ` +
    'message with `delivery` `fast` is handed to another route.',
  keywords: wholeNumber(limits.hedgeSecondsMin, limits.hedgeSecondsMax, limits.hedgeSecondsDefault),
};
const deliveryNote = (fallback: Delivery) => ({
  description:
    'Choice of another route. `once`: the next route is tried only if the first one certainly did ' +
    'not deliver the message. `fast`: also when that is in doubt or takes too long; the message may then arrive ' +
    `twice. It is charged once. Default: \`${fallback}\`.`,
  keywords: { default: fallback },
});

const acceptedNotes = {
  success,
  message_id: messageId,
  segments: messageNotes.segments,
  credits: { description: 'Price of the message in credits. A test key is not charged.' },
  encoding: { description: 'Encoding of the text: GSM-7 has room for more characters.' },
  balance: { description: 'Credits left after this message. A test key gets an example.' },
  reference: { description: 'The reference that you sent, if any.' },
  status: { description: 'Present if the message is scheduled.' },
  send_at: { description: 'When a scheduled message leaves, in UTC.' },
  replies: {
    description:
      'Present if replies to this message go to another account, which texted this person from the same number before.',
  },
  delivery: { description: 'The `delivery` that you chose, if you did.' },
  test: { description: 'Present if the key was a test key: nothing was sent or charged.' },
};

const { otpMinutesMin, otpMinutesMax, otpMinutesDefault, otpDigitsMin, otpDigitsMax, otpDigitsDefault } = limits;

/** Schemas of the contract as JSON Schema, by their names in the document. */
export const schemas: Readonly<Record<string, Schema>> = {
  SendSmsRequest: request(sendSmsBody, {
    to: recipient,
    message: {
      description:
        `The text, at most ${limits.messageSegmentsMax} segments. Required, unless there is \`media\`; with it, ` +
        `at most ${countOf(limits.mmsTextCharactersMax)} characters.`,
      keywords: { examples: ['Hello from Pennytext'] },
    },
    apikey,
    reference,
    from,
    encoding: {
      description:
        '`auto` (default): GSM-7 if it contains every character, else UCS-2. `gsm7`: refused unless ' +
        'GSM-7 contains every character. `smart`: typographic quotes, dashes, spaces and the like ' +
        'become GSM-7 equivalents; the answer’s `message` shows the text.',
    },
    send_at: {
      description:
        'When the message leaves, as a date and time with an offset (RFC 3339), as ' +
        `\`YYYY-MM-DDThh:mm:ss-05:00\`: from ${limits.sendAtSecondsMin} seconds to ` +
        `${limits.sendAtDaysMax} days from now. It is charged at once, and can be canceled until it ` +
        'leaves.',
      keywords: { format: 'date-time' },
    },
    validity: {
      description:
        `Seconds, from ${limits.validitySecondsMin} to ${limits.validitySecondsMax}: if the carrier ` +
        `does not have the message within that time after it was accepted, or after \`send_at\`, it ` +
        `fails as \`expired\` and is refunded.`,
      keywords: wholeNumber(limits.validitySecondsMin, limits.validitySecondsMax),
    },
    delivery: deliveryNote('once'),
    hedge_seconds: hedgeSeconds,
    quote: { description: 'The `quote` of `POST /api/quote`: the same content then costs at most what was quoted.' },
    dedupe: {
      description:
        'Seconds: a message to the same recipient with the same text that you sent within this time, ' +
        'and that has not failed, is the answer, with `deduplicated`; nothing is sent or charged.',
      keywords: { type: ['integer', 'string', 'null'], minimum: 1, maximum: limits.dedupeSecondsMax },
    },
    max_credits: {
      description: 'The highest price in credits that you accept; the message is refused if it costs more.',
      keywords: { type: ['integer', 'string', 'null'], minimum: 1, maximum: limits.maxCreditsMax },
    },
    ...mediaNotes,
  }),
  UploadMediaRequest: request(uploadMediaBody, {
    apikey,
    url: { description: 'Where the file is. It is fetched before the answer.' },
  }),
  UploadedMedia: answer(uploadMediaAnswer, {
    success,
    ...mediaFileNotes,
    expires_at: { description: 'When the file is deleted, in UTC. Messages that wait keep it longer.' },
    test: { description: 'Present if the key was a test key: nothing was stored.' },
  }),
  SendOtpRequest: request(sendOtpBody, {
    to: {
      ...recipient,
      description:
        `${recipient.description} One-time passwords are sent to countries whose \`otp\` is true in ` +
        'GET /api/regions.',
    },
    apikey,
    channels: {
      description:
        `Ways of reaching the person, at most ${limits.otpStepsMax}, in order: the next begins when one fails, or ` +
        'when its `wait_seconds` are over and the code was neither entered nor reported as delivered. Each is ' +
        '`sms`, `whatsapp`, `voice` or `email`; `to` replaces the number, and is needed for `email`. A form sends ' +
        'their names, separated by commas. Without it the code goes by SMS alone.',
      keywords: {
        anyOf: [
          {
            type: 'array',
            minItems: 1,
            maxItems: limits.otpStepsMax,
            items: {
              type: 'object',
              required: ['channel'],
              properties: {
                channel: { description: 'Each channel is tried once.', type: 'string', enum: [...otpChannels] },
                to: {
                  description: 'A phone number in place of that of the code; for `email` the address, which it needs.',
                  type: ['string', 'null'],
                },
                wait_seconds: {
                  description: 'Seconds until the next channel is tried.',
                  type: ['integer', 'string', 'null'],
                  minimum: limits.otpStepWaitSecondsMin,
                  maximum: limits.otpStepWaitSecondsMax,
                  default: limits.otpStepWaitSecondsDefault,
                },
              },
            },
          },
          { type: 'string' },
          { type: 'null' },
        ],
        examples: [[{ channel: 'sms' }, { channel: 'voice', wait_seconds: 60 }]],
      },
    },
    max_credits: {
      description:
        'The highest price in credits of all `channels` together that you accept, which `POST /api/quote` answers as ' +
        '`credits_max`. A resend costs its own price.',
      keywords: { type: ['integer', 'string', 'null'], minimum: 1, maximum: limits.maxCreditsMax },
    },
    org: {
      description: 'Name of the sending organization, on one line: the text then begins with `Message from [org].`',
      keywords: { type: ['string', 'null'], maxLength: limits.otpOrgCharactersMax },
    },
    code: {
      description:
        'Your own code, which you verify yourself: digits, and capital letters without I, L and O. Without it we ' +
        'make a code.',
      keywords: {
        type: ['string', 'null'],
        minLength: limits.otpOwnCodeCharactersMin,
        maxLength: limits.otpOwnCodeCharactersMax,
        pattern: '^[0-9A-HJKMNP-Z]*$',
      },
    },
    limit: {
      description: 'Lifetime of the code in minutes.',
      keywords: wholeNumber(otpMinutesMin, otpMinutesMax, otpMinutesDefault),
    },
    length: {
      description: 'Number of digits of the code.',
      keywords: wholeNumber(otpDigitsMin, otpDigitsMax, otpDigitsDefault),
    },
    domain: {
      description: 'Host name of your site, such as `example.com`: phones then autofill the code on this site only.',
    },
    from,
    delivery: deliveryNote('fast'),
    hedge_seconds: hedgeSeconds,
    ip: {
      description: 'Network address of the end user who asked for the code: the fraud guard counts codes by it.',
      keywords: { examples: ['203.0.113.7'] },
    },
    device: { description: 'Your name for the device of the end user: the fraud guard counts codes by it.' },
    reference,
  }),
  VerifyOtpRequest: request(verifyOtpBody, {
    otp: {
      description: 'The code that the person typed, as text because it may begin with 0.',
      required: true,
      keywords: { examples: ['042117'] },
    },
    apikey,
    to: {
      description:
        'Phone number that the code was sent to. Always send it, or `otp_id`: a code alone could ' +
        'match another person’s number.',
      keywords: { examples: ['+12025550142'] },
    },
    otp_id: { description: 'The `otp_id` of the code, in place of `to`.', keywords: { examples: [EXAMPLE_OTP_ID] } },
  }),
  ResendOtpRequest: request(resendOtpBody, {
    otp_id: {
      description: 'The `otp_id` that `sendotp` returned.',
      required: true,
      keywords: { examples: [EXAMPLE_OTP_ID] },
    },
    channel: {
      description:
        'One of the `channels` of the code. Without it the next of them begins, or the latest sends again if it was ' +
        'the last.',
    },
    apikey,
  }),
  TriggerEventRequest: request(triggerEventBody, {
    type: { description: 'The type of the event.', required: true },
    apikey,
  }),
  TriggeredEvent: answer(triggeredEventAnswer, {
    success,
    event_id: { description: 'The `webhook-id` of the event.' },
    test: { description: 'Present for a test key, which creates nothing.' },
  }),
  AcceptedMessage: answer(sendSmsAnswer, {
    ...acceptedNotes,
    deduplicated: {
      description: 'Present if you sent `dedupe` and this is an earlier message. Nothing was sent or charged again.',
    },
    message: {
      description:
        'The text as it is sent. Present if you sent `encoding` as `smart`, and if links take the place of files.',
    },
    kind: { description: 'Present for a message with files, an MMS.' },
    media: messageNotes.media,
  }),
  MessageMedia: answer(messageMedia, {
    ...mediaFileNotes,
    url: {
      description:
        `A link to the file that works without a key, for ${limits.mediaLinkDaysMax} days; \`null\` once ` +
        'the file has been deleted.',
    },
    sha256: { description: 'SHA-256 of its bytes, in hex digits; `null` once the file has been deleted.' },
    original_id: {
      description: 'Present if the picture was made smaller for the networks: the id of the file that you gave.',
    },
  }),
  Quote: answer(priceQuoteAnswer, {
    success,
    quote: { description: 'Send it as `quote` with the same content: it then costs at most `credits`.' },
    expires_at: { description: `When the quote expires: after ${limits.quoteMinutes} minutes, in UTC.` },
    segments: messageNotes.segments,
    credits: messageNotes.credits,
    encoding: { description: 'Encoding of the text: GSM-7 has room for more characters.' },
    unsupported_characters: {
      description: `The first ${limits.quoteUnicodeCharactersMax} characters that GSM-7 does not contain.`,
    },
    country: { description: 'Country of the number, as ISO 3166-1 alpha-2 code.' },
    balance: { description: 'Your credits. A test key gets an example.' },
    balance_after: { description: 'Credits left after sending; `null` if the balance does not cover the price.' },
    kind: { description: 'Present for a message with files, an MMS. Its files are looked at when it is sent.' },
    test: { description: 'Present if the key was a test key.' },
  }),
  OtpQuote: answer(otpQuoteAnswer, {
    success,
    channels: { description: 'The `channels` of a one-time password in order, each with its price in credits.' },
    credits: { description: 'Price of the first channel in credits.' },
    credits_max: {
      description:
        'Price of all `channels` together in credits. Nothing holds it: send it as `max_credits` of `sendotp`.',
    },
    country: { description: 'Country of the number `to`, as ISO 3166-1 alpha-2 code.' },
    balance: { description: 'Your credits. A test key gets an example.' },
    balance_after: {
      description: 'Credits left if all `channels` are tried; `null` if the balance does not cover `credits_max`.',
    },
    test: { description: 'Present if the key was a test key.' },
  }),
  SentOtp: answer(sendOtpAnswer, {
    ...acceptedNotes,
    otp_id: otpId,
    expires_at: { description: 'When the code expires. Sending it again does not change this.' },
    next_resend_at: { description: 'When the code can be sent again; `null` if it cannot.' },
    attempts_left: { description: 'Wrong attempts left before the code becomes invalid.' },
    managed: { description: 'Present, as `false`, for your own `code`: we cannot verify it or send it again.' },
    channel: { description: 'Present if you sent `channels`: the channel of this message.' },
    next_channel: { description: 'Present if you sent `channels`: the channel that is tried next; `null` if none is.' },
    next_channel_at: {
      description: 'Present if you sent `channels`: when it is tried, unless the code is entered before.',
    },
    credits_max: { description: 'Present if you sent `channels`: the price of all of them together.' },
  }),
  OtpGuard: answer(otpGuardAnswer, {
    success,
    suspicious: { description: 'Whether codes to some numbers are refused because too few were verified.' },
    rules: { description: 'The rules: at most `sends_max` messages by what a rule counts within its window.' },
    blocked: { description: 'Rules that refused codes within the last hour, latest first; `open`: still refused.' },
    reset_at: { description: 'When the guard was last reset.' },
    next_reset_at: { description: 'When the guard can be reset again; `null` if it can be now.' },
    test: exampleNote,
  }),
  Otp: answer(otpAnswer, { success, ...otpNotes, test: exampleNote }),
  ListedOtp: answer(otpView, otpNotes),
  OtpsAnswer: answer(otpsAnswer, {
    success,
    otps: {
      description: 'Your codes, newest first.',
      keywords: { maxItems: limits.otpsPageSize, items: { $ref: '#/components/schemas/ListedOtp' } },
    },
    next_cursor: { description: 'Send it as `cursor` to get the next page; `null` on the last page.' },
    test: exampleNote,
  }),
  OtpConversion: answer(otpConversionAnswer, {
    success,
    from: { description: 'First day that counts, in New York.' },
    to: { description: 'Last day that counts, inclusive.' },
    sent: { description: 'Codes that were sent. A code counts once, however often it was sent again.' },
    verified: { description: 'Codes that were verified.' },
    verified_percent: { description: 'Share of verified codes, with one decimal; `null` if none was sent.' },
    countries: { description: 'The same by country of the recipient, as ISO 3166-1 alpha-2 code.' },
    days: {
      description: 'The same by day on which the codes were first sent, oldest first, without those without codes.',
    },
    channels: {
      description:
        'For codes with `channels`: messages by channel and country, and the codes that were entered after them.',
    },
    test: exampleNote,
  }),
  OtpVerdict: answer(verifyOtpAnswer, {
    status: { description: 'Result of the verification.' },
    to: { description: 'The recipient whose code was verified. Compare it with the person that you expect.' },
    otp_id: { description: 'The code that was verified.' },
    expires_at: { description: 'When the code expires or has expired, in UTC. Absent if the code is unknown.' },
    attempts_left: {
      description:
        'Wrong tries left before the code becomes invalid. Present if `to` or `otp_id` was sent and names a live code.',
    },
  }),
  Message: answer(messageView, messageNotes),
  MessageAnswer: answer(messageAnswer, { success, ...messageNotes, test: exampleNote }),
  MessageRecord: answer(messageRecordAnswer, {
    success,
    ...messageNotes,
    recorded_at: { description: 'When this record was made.' },
    kind: { description: '`otp` for a one-time password, whose code is masked; `mms` for a message with files.' },
    encoding: { description: 'Encoding of the text; `null` once the text is deleted.' },
    carrier_id: { description: 'Id of the message at the carrier; `null` until the carrier accepts it.' },
    receipt_level: {
      description:
        'Meaning of `delivered` on its route: `handset`, it reached the phone; `network`, the network of ' +
        'the phone confirmed it; `none`, nothing more than `sent`.',
    },
    attempt_list: {
      description:
        'Its hand-overs to routes, in order. Routes are named within the message, `r1`, `r2`. `reason`: why this ' +
        `route got it: ${attemptReasons.map((reason) => `\`${reason}\``).join(', ')}. \`outcome\`: ` +
        `${attemptOutcomes.map((outcome) => `\`${outcome}\``).join(', ')}; \`null\` while it is not known. Of tries ` +
        'by one route the last one is shown.',
    },
    transitions: {
      description:
        `The states it reached, in order. \`cause\` is ` +
        `${recordCauses.map((cause) => `\`${cause}\``).join(', ')}, or the \`error_code\` of a message ` +
        'that was not delivered.',
    },
    refund: { description: 'The refund of its price; `null` if it was not refunded.' },
    ledger: {
      description:
        'Its entries in the ledger of your account, with their numbers, and the seal that covers ' +
        'each: `null` until the entry is sealed, within a minute.',
    },
    callback: {
      description: 'The URL that this message named for its callbacks, without its query.',
    },
    webhooks: {
      description:
        'The webhooks and callbacks about it, oldest first, with the last ' +
        `${limits.webhookAttemptsShownMax} attempts of each and the beginning of each answer.`,
    },
    removed: { description: 'Parts that are no longer kept, and why.' },
    test: exampleNote,
  }),
  MessagesAnswer: answer(messagesAnswer, {
    success,
    messages: {
      description: 'Your messages, newest first.',
      keywords: { maxItems: limits.messagesPageSize, items: { $ref: '#/components/schemas/Message' } },
    },
    next_cursor: { description: 'Send it as `cursor` to get the next page; `null` on the last page.' },
    test: exampleNote,
  }),
  OptOuts: answer(optOutsAnswer, {
    success,
    optouts: {
      description:
        'The latest opt-out first. `number`: the person. `sender`: the number that ' +
        'the person opted out of; `null` if the carrier chose it. `status`: `opted_out`, or `opted_in` once the ' +
        'person replied START. `source`: `reply`, or `carrier` if the carrier refused a message because it knew. ' +
        '`word`: the keyword of a reply to you; `null` if the person replied to another account that uses the sender.',
    },
    next_cursor: { description: 'Send it as `cursor` to get the next page; `null` on the last page.' },
    test: exampleNote,
  }),
  Balance: answer(balanceAnswer, {
    success,
    balance: { description: 'Credits left: `purchased` minus `used`.' },
    purchased: { description: 'All credits that were added.' },
    used: { description: 'Credits spent minus refunds.' },
    frozen: {
      description:
        'Present if a part of the balance cannot be spent: its payment is disputed, or a number is being bought.',
    },
    budget: {
      description:
        'Present if your key has a budget: the credits it may spend in a day and in a month (New ' +
        'York), `null` without a limit, and what it has spent.',
    },
    test: exampleNote,
  }),
  Notifications: answer(notificationsAnswer, {
    success,
    notifications: {
      description:
        'Each with its `code`; `severity`: `critical` when something does not work now, else `warning`; `since`, ' +
        '`null` where the beginning is not known; a `message`, the `action` to take, the `url` of the dashboard ' +
        'where ' +
        'it is taken, and the `figures` of the message, by code. `id` names the cause: the same code with another ' +
        'cause has another id. Later versions may add codes.',
    },
    test: exampleNote,
  }),
  Deliverability: answer(deliverabilityAnswer, {
    success,
    from: { description: 'First day of acceptance that counts, in New York.' },
    to: { description: 'Last day of acceptance that counts, inclusive.' },
    messages: { description: 'Messages that have ended: delivered or not. Canceled ones do not count.' },
    delivered: { description: 'Messages that were delivered.' },
    reasons: {
      description:
        'Why the others were not delivered, the most frequent reason first. `code` is a filter of ' +
        '`GET /api/messages`. `permanent`: the same message to the same number would fail again.',
    },
    countries: { description: 'By country of the recipient, as ISO 3166-1 alpha-2 code; the largest first.' },
    days: { description: 'By day of acceptance, oldest first, without those on which no message ended.' },
    keys: {
      description:
        'By the key that sent them, the largest first. `key_id` and `name` are `null` for the own key of your ' +
        'account and for the dashboard, `name` also for a key that was revoked.',
    },
    test: exampleNote,
  }),
  Spend: answer(spendAnswer, {
    success,
    from: { description: 'First day that counts, in New York.' },
    to: { description: 'Last day that counts, inclusive.' },
    messages: { description: 'Messages, one-time passwords and replies that were charged.' },
    charged: { description: 'Credits charged for them.' },
    refunded: { description: 'Credits that came back on these days.' },
    spent: { description: '`charged` less `refunded`; below 0 where refunds are for charges of earlier days.' },
    months: { description: 'By month, oldest first, and by key within each month.' },
    days: { description: 'By day, oldest first, without those on which no credits moved.' },
    keys: {
      description:
        'By key, the largest first. `key_id` and `name` are `null` for the own key of your account, the dashboard ' +
        'and replies, `name` also for a key that was revoked.',
    },
    countries: {
      description:
        'By country of the recipient, as ISO 3166-1 alpha-2 code; the largest first. `null`: replies, and messages ' +
        'that are not kept any more.',
    },
    kinds: { description: 'By what they were spent for: `message`, `otp`, or `reply`.' },
    test: exampleNote,
  }),
  Exposure: answer(exposureAnswer, {
    success,
    credits: { description: 'The most credits that could be spent before you notice.' },
    bound: {
      description:
        'Limit that ends the spending: `balance` (all credits are gone, those of top-ups too), `daily_limit`, ' +
        '`budgets` of ' +
        'the keys, or `sending_off`.',
    },
    within_hours: { description: 'The time within which you are assumed to notice.' },
    available: { description: 'Credits that can be spent now.' },
    top_up_credits: { description: 'Credits that automatic top-up could buy within this time.' },
    number_credits: {
      description:
        'Credits that numbers could cost within this time: your account’s own key and keys with the scope `numbers` ' +
        `buy at most ${limits.numberPurchasesPerDayMax} a day. 0 before your first paid purchase.`,
    },
    messages: { description: 'Messages that your daily limit allows within this time.' },
    credits_per_message: { description: 'Price of the dearest message: 10 segments to your dearest country.' },
    keys: {
      description:
        'The same for each live key alone, the largest first. `key_id` is `null` for your account’s own key.',
    },
    switches: {
      description:
        'Changes that lower `credits`: what to do, and the credits after it. ' +
        `\`switch\`: ${exposureSwitches.map((name) => `\`${name}\``).join(', ')}.`,
    },
    test: exampleNote,
  }),
  DeliveryQuality: answer(qualityAnswer, {
    success,
    computed_at: { description: 'When the newest figures were computed; `null` while there are none to show.' },
    quality: {
      description:
        'Newest day first, then by country. `day`: the UTC day of acceptance. `delivered_percent`: of ' +
        'the messages that were delivered, undelivered or failed. `median_seconds`, `p95_seconds`: ' +
        'from acceptance, or from `send_at`, to delivery; `null` if none was delivered. ' +
        '`verified_percent`: of the one-time passwords that were sent on that day in New York, a figure ' +
        'that no carrier can make up; `null` with too few of them to show.',
    },
  }),
  Regions: answer(regionsAnswer, {
    success,
    regions: {
      description:
        'All countries of the table, by name. `credits_per_sms`: price of a segment. `active`: messages to it are ' +
        'accepted. `otp`: one-time passwords are sent there. `voice`: they are spoken in calls there, as the channel ' +
        '`voice` of `sendotp`.',
    },
  }),
  ServiceStatus: answer(statusAnswer, {
    success,
    measured_at: { description: 'When the components were measured last; `null` if never.' },
    components: {
      description:
        '`api`: the server that answers. `sending`, `webhooks`, `email`: measured every minute by how ' +
        'long the oldest of them waits for us; `unknown` if not measured for five minutes.',
    },
    incidents: {
      description:
        `Incidents of the last ${limits.statusDays} days, newest first. \`state\`: the worst that was reached. ` +
        'A state ' +
        'counts once it was measured twice in a row. `ended_at`: `null` while it lasts.',
    },
    history: {
      description:
        `Every component on each of the last ${limits.statusDays} UTC days, today last. \`state\`: the ` +
        'worst of the day, `unknown` if it was not measured. `available_percent`: of the measured time ' +
        'without an outage, rounded down; `null` if it was not measured. `measured_percent`: of the day, ' +
        'or of today until now.',
    },
  }),
  Failure: answer(failureAnswer, {
    success: { description: 'The string `false`: nothing was sent and nothing was charged.' },
    error: { description: 'The reason as text. Several reasons share one text.' },
    code: { description: 'The reason as a stable code for programs.' },
    detail: { description: 'The reason for people. The wording may change.' },
    otp_id: { description: 'With `guard`: the id under which `GET /api/otps/{otp_id}` shows the refusal.' },
    guard: {
      description:
        'Present if the fraud guard of one-time passwords refused: the rule, and how many codes it ' +
        'counted and saw verified.',
    },
    fix: {
      description:
        'Present if exactly one other call would do what this one was meant to: `call` is its method ' +
        'and path, `body` all its fields but the key. It costs at most what the refused call would ' +
        'have cost. Rules about the account and the recipient can still refuse it.',
      keywords: {
        examples: [{ call: 'POST /api/sendsms', body: { to: '+447400123456', message: 'Hello' } }],
      },
    },
  }),
};

export function request<S extends z.ZodObject>(shape: S, notes: Notes<S>): Schema {
  return described(jsonSchemaOf(shape, 'input'), notes);
}

export function answer<S extends z.ZodObject>(shape: S, notes: Notes<S>): Schema {
  return described(jsonSchemaOf(shape, 'output'), notes);
}

/**
 * Converts a zod schema to the JSON Schema of its wire format. Answers may grow, so additional
 * properties are allowed.
 */
export function jsonSchemaOf(shape: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(shape, {
    target: 'draft-2020-12',
    io,
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // The format is enough; the regular expression of all valid dates is unreadable.
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  return schema;
}

/** Adds the notes to the properties; a required field must not be empty. */
function described(schema: Schema, notes: Readonly<Record<string, FieldNote>>): Schema {
  const required = Object.keys(notes).filter((name) => notes[name]?.required);
  const properties = Object.entries(notes).map(([name, { description, keywords, required: isRequired }]) => {
    const given = schema.properties?.[name];
    if (typeof given !== 'object') throw new Error(`The schema has no field ${name}`);
    const kind: Schema = isRequired ? { type: 'string', minLength: 1 } : given;
    return [name, { description, ...kind, ...keywords }] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) };
}
