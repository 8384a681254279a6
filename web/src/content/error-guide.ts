import type { ErrorCode } from '#contract/errors.js';
import { limits } from '#contract/limits.js';
import { paths } from '../paths.js';
import { contactLink } from './company.js';
import { bodyKibibytes, count, dailyLimit } from './facts.js';
import type { Markup } from './page.js';

/** Cause of an error code, and the remedy for the caller. */
interface ErrorAdvice {
  readonly code: ErrorCode;
  readonly when: Markup;
  readonly remedy: Markup;
}

/** Every rejection of the public API, in the order in which they are checked. */
export const errorGuide: readonly ErrorAdvice[] = [
  {
    code: 'invalid_request',
    when:
      'The body cannot be read as JSON or as a form, a field has the wrong type, or a text is not UTF-8 ' +
      'or contains a NUL character.',
    remedy: 'Correct the request. `detail` tells you what could not be read.',
  },
  {
    code: 'body_too_large',
    when:
      `The body is larger than ${bodyKibibytes} KiB, ${limits.bulkBodyBytesMax / 1_048_576} MiB for a bulk, or ` +
      'the largest file for an upload.',
    remedy: 'Send less, or several bulks.',
  },
  {
    code: 'body_too_slow',
    when:
      `The request, or a file that is uploaded, arrives too slowly: once ${limits.uploadGraceSeconds} seconds are ` +
      `over, a file has to bring ${count(limits.uploadBytesPerSecondMin)} bytes a second on average.`,
    remedy: 'Send it again over a faster network, or a smaller file.',
  },
  {
    code: 'unsupported_encoding',
    when: 'The body is compressed (`Content-Encoding`), or in a charset other than UTF-8, ISO-8859-1 and windows-1252.',
    remedy: 'Send it uncompressed, in UTF-8.',
  },
  {
    code: 'invalid_limit',
    when:
      `The \`limit\` of a one-time password is not a whole number from ${limits.otpMinutesMin} to ` +
      `${limits.otpMinutesMax}.`,
    remedy: `Send minutes, or leave it out for ${limits.otpMinutesDefault}.`,
  },
  {
    code: 'invalid_send_at',
    when:
      `\`send_at\` is not a date and time with an offset, or not from ${limits.sendAtSecondsMin} ` +
      `seconds to ${limits.sendAtDaysMax} days from now.`,
    remedy: 'Send a time as `YYYY-MM-DDThh:mm:ss-05:00`, with your offset from UTC. Check your clock.',
  },
  {
    code: 'invalid_validity',
    when:
      `\`validity\` is not a whole number from ${limits.validitySecondsMin} to ` +
      `${count(limits.validitySecondsMax)}.`,
    remedy: 'Send seconds, or leave it out.',
  },
  {
    code: 'missing_fields',
    when: 'A required field is missing or empty. `detail` names it.',
    remedy: 'Send all required fields, with exactly these names.',
  },
  {
    code: 'rate_limited',
    when:
      'Too many requests in this second from this key or network address, or at the same time from this ' +
      'account; too much work on bulks that are not sent; or too many one-time passwords to one number, ' +
      'or too many wrong ones.',
    remedy:
      'Wait as many seconds as `Retry-After` tells you, then send the same request again. Send `to` or `otp_id` with ' +
      '`verifyotp`, so that wrong codes of others do not count against you.',
  },
  {
    code: 'address_blocked',
    when: 'Your network address is blocked for abuse.',
    remedy: `Write to ${contactLink}.`,
  },
  {
    code: 'unknown_api_key',
    when: 'No account has this key.',
    remedy:
      `Copy the key from your [dashboard](${paths.dashboard}). A replaced key stops working when its ` +
      'grace period ends.',
  },
  {
    code: 'account_blocked',
    when: 'Your account is blocked.',
    remedy: `Write to ${contactLink}.`,
  },
  {
    code: 'key_expired',
    when: 'This key has expired.',
    remedy: `Give the key a later date in your [dashboard](${paths.dashboardKey}), or use another key.`,
  },
  {
    code: 'key_address',
    when: 'This key may be used from certain network addresses only, and yours is not one of them.',
    remedy: `Add the address to the key in your [dashboard](${paths.dashboardKey}).`,
  },
  {
    code: 'invalid_signature',
    when:
      `Only to calls of a [connected product](${paths.connect}): the secret is another one, or the call was signed ` +
      'more than five minutes from now, or ZITADEL’s signing key is missing.',
    remedy:
      `Enter the plug’s secret in the product again, or give the plug [a new one](${paths.dashboardConnect}). Check ` +
      'the clock of the product’s server.',
  },
  {
    code: 'key_scope',
    when: 'This key has no scope for this call: `detail` names the one that is needed, and those of the key.',
    remedy: `Add the scope to the key in your [dashboard](${paths.dashboardKey}), or use another key.`,
  },
  {
    code: 'idempotency_in_progress',
    when: 'The first request with this `Idempotency-Key` is still running.',
    remedy: 'Wait a second, then send the same request again: you get the answer of the first one.',
  },
  {
    code: 'bulk_rejected',
    when:
      'An item of a bulk was rejected, or the balance does not cover all, so nothing was sent. ' +
      '`rejected` lists the items.',
    remedy: 'Correct or remove the items, or send the request with `partial`.',
  },
  {
    code: 'variable_missing',
    when: 'Only in `rejected`: an item of a bulk has no text or number for a variable of the template.',
    remedy: 'Give the recipient a field of that name.',
  },
  {
    code: 'idempotency_conflict',
    when: `This \`Idempotency-Key\` was used with a different body within the last ${limits.idempotencyHours} hours.`,
    remedy: 'Use a new key for each new message.',
  },
  {
    code: 'delivery_suspended',
    when:
      `More than half of at least ${limits.suspensionRecipientsMin} recipients of your account were not ` +
      `reached within ${limits.suspensionHours} hours, so it is suspended from sending. Test keys still ` +
      'work.',
    remedy:
      `Remove numbers that do not exist. The [dashboard](${paths.dashboard}) explains the suspension; ` +
      'you can lift it there once.',
  },
  {
    code: 'no_credits',
    when: 'The balance is 0.',
    remedy: `[Buy credits](${paths.pricing}), then send the same request again.`,
  },
  {
    code: 'invalid_number',
    when: '`to` is not a valid phone number.',
    remedy: 'Write the number with `+` and country code.',
  },
  {
    code: 'number_type_unsupported',
    when:
      '`to` is a premium-rate, shared-cost, toll-free, personal, VoIP, landline, company-wide, pager or ' +
      'voicemail number.',
    remedy: 'Send to a mobile number.',
  },
  {
    code: 'region_unsupported',
    when: 'We do not send to the country of this number, or send no one-time passwords there.',
    remedy:
      `See the [supported regions](${paths.regions}). A number in another country that shares +1 is not ` +
      'a US number.',
  },
  {
    code: 'region_inactive',
    when: 'We do not send to this country yet.',
    remedy: `See the [supported regions](${paths.regions}).`,
  },
  {
    code: 'channel_unsupported',
    when: 'A channel of `channels` is not offered here; `detail` names those that are.',
    remedy: 'Send by one of the channels that `detail` names, or without `channels` by SMS alone.',
  },
  {
    code: 'channel_disabled',
    when:
      'Codes are not sent by this channel to the country of the number. Voice calls are closed for each country ' +
      'until the operator opens it.',
    remedy:
      'Leave the channel out, or name another one. The page ' +
      `[One-time Passwords](${paths.dashboardOtp}) of the dashboard lists the countries with calls.`,
  },
  {
    code: 'encoding_unsupported',
    when: 'You sent `encoding` as `gsm7`, and GSM-7 does not contain every character of the text. `detail` names them.',
    remedy: `Replace them, or send [\`encoding\`](${paths.prices}#encoding) as \`smart\`.`,
  },
  {
    code: 'message_too_long',
    when: `The message has more than ${limits.messageSegmentsMax} segments, or a one-time password more than one.`,
    remedy:
      'Shorten it, or send it in parts. A single character outside GSM-7, such as an emoji, more than halves what ' +
      'fits.',
  },
  {
    code: 'media_unsupported',
    when:
      'The message has files, and MMS does not reach the country of this number, or no number that may send it ' +
      'carries files.',
    remedy: `Send a text, or [\`media_fallback\`](${paths.media}#fallback) as \`link\`.`,
  },
  {
    code: 'media_too_large',
    when:
      `The files together have more than ${count(limits.messageMediaBytesMax)} bytes, or more than the networks take ` +
      'from the sender and cannot or must not be made smaller; `detail` names the limit.',
    remedy: `Send fewer or smaller files, or let [pictures be made smaller](${paths.media}#sizes).`,
  },
  {
    code: 'media_type',
    when: 'Phones do not take files of this type, which the bytes of the file show and `detail` names.',
    remedy: `Send one of the [types](${paths.media}#types) that are carried.`,
  },
  {
    code: 'media_unreachable',
    when: 'The `url` of a file does not lead to one; `detail` tells what happened.',
    remedy: 'Check that anyone can open it, without a redirect to a private network, or upload the file.',
  },
  {
    code: 'media_unknown',
    when: 'The account has never had a file with this `media_id`.',
    remedy: `[Upload](${paths.media}#upload) it, and send the id that the answer has.`,
  },
  {
    code: 'media_limit',
    when:
      `The account has stored ${count(limits.mediaPerDayMax)} files or ${limits.mediaBytesPerDayMax / 1_048_576} MiB ` +
      'within 24 hours, a tenth of that if it has never bought credits, or uploads too many at once.',
    remedy: 'Wait as many seconds as `Retry-After` tells you. Send one `media_id` to many recipients.',
  },
  {
    code: 'url_shortener',
    when: 'The message has a shortened URL.',
    remedy: 'Use the full URL.',
  },
  {
    code: 'from_unknown',
    when: '`from` is neither a number of your account, nor the id of one or of a pool.',
    remedy: `See your [numbers](${paths.dashboardNumbers}), or send without \`from\`.`,
  },
  {
    code: 'from_inactive',
    when: 'The number that `from` names does not work yet or was released, or no number of the pool works.',
    remedy: 'Name another number, send without `from`, or wait for the event `number.active`.',
  },
  {
    code: 'quote_invalid',
    when: 'The `quote` was not issued for this account, recipient and text.',
    remedy: `Request a [quote](${paths.prices}#price-first) for exactly this message, or leave it out.`,
  },
  {
    code: 'quote_expired',
    when: `The \`quote\` is older than ${limits.quoteMinutes} minutes.`,
    remedy: `Request another [quote](${paths.prices}#price-first).`,
  },
  {
    code: 'price_above_max',
    when: 'The message costs more than the `max_credits` that you sent.',
    remedy: 'Shorten the message, or send a higher `max_credits`.',
  },
  {
    code: 'key_country',
    when: 'This key may send to certain countries only, and the country of this number is not one of them.',
    remedy: `Add the country to the key in your [dashboard](${paths.dashboardKey}), or use another key.`,
  },
  {
    code: 'country_disabled',
    when: 'You have switched off messages to the country of this number.',
    remedy: `Switch the country on in your [account settings](${paths.dashboardAccount}).`,
  },
  {
    code: 'number_not_verified',
    when:
      'Until your first purchase or redeemed code, free credits send only to numbers that you have verified, if the ' +
      'operator wants it so.',
    remedy: 'Send a one-time password to the number and verify it, or buy credits.',
  },
  {
    code: 'url_not_activated',
    when:
      'The message has a URL, and your account is not activated for URLs. `detail` quotes it; often a ' +
      'space after a full stop is missing.',
    remedy: `Put a space there, or write to ${contactLink} to have it activated.`,
  },
  {
    code: 'recipient_opted_out',
    when: 'The recipient has replied STOP, or the carrier has refused the recipient as opted out.',
    remedy:
      'Do not message this number. Messages are possible again once its owner replies START. ' +
      `[Opt-outs](${paths.dashboardOptOuts}) lists everyone who has opted out.`,
  },
  {
    code: 'daily_limit',
    when:
      'You have reached your message limit for the day, in New York time; a new account may send ' +
      `${dailyLimit} a day.`,
    remedy:
      `\`Retry-After\` has the seconds to midnight in New York. To have the limit raised, write to ` +
      `${contactLink}.`,
  },
  {
    code: 'key_budget',
    when: 'The price is more than this key may still spend today or this month, in New York time.',
    remedy: '`Retry-After` has the seconds until the budget starts again. Or give the key a larger budget.',
  },
  {
    code: 'insufficient_credits',
    when: 'The balance is above 0 but does not cover the price, or only with credits that are frozen or held.',
    remedy: `[Buy credits](${paths.pricing}) or shorten the message.`,
  },
  {
    code: 'otp_suspicious',
    when: 'Too few of your one-time passwords to numbers like this one were verified, which looks like fraud.',
    remedy:
      `Read \`guard\` and look for the cause, then reset the [fraud guard](${paths.otp}#fraud-guard) in your ` +
      `[dashboard](${paths.dashboard}).`,
  },
  {
    code: 'code_invalid',
    when: 'The `code` that you made is not text, has characters that people mistake, or is too short or too long.',
    remedy:
      `Send ${limits.otpOwnCodeCharactersMin} to ${limits.otpOwnCodeCharactersMax} digits and capital letters ` +
      'without I, L and O, or leave `code` out: Pennytext then makes and verifies one. A [connected ' +
      `product](${paths.connect}) must make codes of that many digits and letters.`,
  },
  {
    code: 'otp_not_found',
    when: 'Your account has no one-time password with this id, or it ended more than a day ago.',
    remedy: 'Check the id, and that the key belongs to the same account.',
  },
  {
    code: 'otp_not_resendable',
    when:
      `The code has ended, was sent again ${limits.otpResendWaitsSeconds.length} times, or expires ` +
      'before it could be sent again.',
    remedy: 'Send a new code.',
  },
  {
    code: 'otp_resend_too_early',
    when: 'The code was sent a moment ago.',
    remedy: 'Wait for the seconds in `Retry-After`, or until `next_resend_at`.',
  },
  {
    code: 'totp_not_found',
    when: 'Your account has no authenticator with this id: it was deleted, or belongs to another account.',
    remedy: 'Check the id, and that the key belongs to the same account. A test key has one of its own.',
  },
  {
    code: 'totp_limit',
    when: `Your account has ${limits.totpsMax.toLocaleString('en-US')} authenticators.`,
    remedy: `Delete those of people who have left, or that were never verified: [authenticator apps](${paths.totp}).`,
  },
  {
    code: 'batch_not_found',
    when: 'Your account has no batch with this id.',
    remedy: 'Check the id and the key.',
  },
  {
    code: 'message_not_found',
    when: 'No message of your account has this id.',
    remedy: 'Check the id, and that the key belongs to the account that sent it. Messages of a test key are not kept.',
  },
  {
    code: 'media_not_found',
    when: 'No file of your account has this id, or the link is not complete.',
    remedy: 'Check the id and the key, or the whole link with its `e` and `s`.',
  },
  {
    code: 'media_pending',
    when: 'The file is still being copied from the carrier.',
    remedy: 'Ask again after `Retry-After`, or wait for the webhook `message.media_ready`.',
  },
  {
    code: 'media_failed',
    when: 'The file could not be copied: `detail` has the reason.',
    remedy: 'Ask the sender for it again, as a picture of at most 10 MB.',
  },
  {
    code: 'media_expired',
    when:
      `The file was deleted, which is after ${limits.mediaKeptDays} days, or the link has ended, which is after ` +
      `${limits.mediaLinkDaysMax}.`,
    remedy: `[Upload](${paths.media}#upload) it again. Download files that you need for longer within a few days.`,
  },
  {
    code: 'number_unsupported',
    when:
      'The number is not a local or toll-free one of a country whose numbers are sold, our carrier does not sell it, ' +
      'or it carries no messages.',
    remedy: `[Search](${paths.numbers}) for another number.`,
  },
  {
    code: 'number_needs_purchase',
    when: 'Your account has never paid for credits, or its payments were returned.',
    remedy: `[Buy credits](${paths.pricing}), then buy the number.`,
  },
  {
    code: 'number_limit',
    when: 'Your account has as many numbers as it may have.',
    remedy: 'Release a number that you do not need, or contact support for a higher limit.',
  },
  {
    code: 'number_day_limit',
    when: `Your account has bought ${limits.numberPurchasesPerDayMax} numbers on this day (New York time).`,
    remedy: 'Wait for the seconds in `Retry-After`.',
  },
  {
    code: 'number_taken',
    when: `Another customer has the number, or it was released less than ${limits.numberRestDays} days ago.`,
    remedy: 'Buy one of the numbers that `similar` lists.',
  },
  {
    code: 'number_not_found',
    when: 'No number of your account has this id, or its purchase has failed.',
    remedy: 'Read `detail`. Check the id and the key.',
  },
  {
    code: 'number_not_changeable',
    when: 'The purchase of the number is not decided yet, it is released, or the operator has given it to you.',
    remedy: 'Wait for the event `number.active`, or contact support.',
  },
  {
    code: 'number_release_blocked',
    when: 'A dispute has frozen credits of your account.',
    remedy: 'Wait until the dispute is decided.',
  },
  {
    code: 'pool_not_found',
    when: 'No pool of your account has this id.',
    remedy: 'Check the id and the key.',
  },
  {
    code: 'pool_invalid',
    when: 'One of the numbers is not a number of your account.',
    remedy: 'Read `detail`, which names it.',
  },
  {
    code: 'pool_limit',
    when: `Your account has ${limits.poolsMax} pools.`,
    remedy: 'Delete a pool that you do not need.',
  },
  {
    code: 'not_cancelable',
    when: 'The message is being sent or has ended, or it is a one-time password.',
    remedy: 'Only messages that are `scheduled` or `queued` can be canceled. `detail` names its status.',
  },
  {
    code: 'too_many_streams',
    when: `Your account has ${limits.eventStreamsPerAccountMax} streams of events open.`,
    remedy:
      'Close a stream, or wait as many seconds as `Retry-After` tells you: a broken connection is noticed ' +
      'within half a minute.',
  },
  {
    code: 'webhook_off',
    when: 'A test event has no receiver: your account has no webhook URL, and does not listen to its events.',
    remedy: 'Set a webhook URL in the dashboard, or open `GET /api/events` first.',
  },
  {
    code: 'webhook_actions',
    when: `More than ${limits.webhookActionsPerMinuteMax} test events or webhooks were sent by hand within a minute.`,
    remedy: 'Wait as many seconds as `Retry-After` tells you.',
  },
  {
    code: 'not_found',
    when: 'The API has no such path or method.',
    remedy: `See [the calls](${paths.docs}).`,
  },
  {
    code: 'internal',
    when: 'Something went wrong on our side.',
    remedy: `Try again with the same \`Idempotency-Key\`. If it persists, write to ${contactLink}.`,
  },
  {
    code: 'unavailable',
    when: 'The service is briefly unavailable.',
    remedy:
      'Try again with the same `Idempotency-Key`. Without one, read `detail`: it tells you whether ' +
      'the message may have been accepted.',
  },
];
