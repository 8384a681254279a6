// Generated from the contract by `npm run -s docs:sdk`.

export interface SendSmsRequest {
  /**
   * Phone number of the recipient with `+` and country code. Numbers without `+` are treated
   * as US numbers.
   */
  to: string;
  /**
   * The text, at most 10 segments. Required, unless there is `media`; with it, at most 1,600
   * characters.
   */
  message?: string | undefined;
  /**
   * Your own reference for the message, up to 64 characters. It is returned in answers and
   * webhooks.
   */
  reference?: string | undefined;
  /**
   * A number of your account, or the id of one or of a pool. Without it: the number that the
   * recipient knows, otherwise one of your default pool, otherwise one that the service
   * chooses.
   */
  from?: string | undefined;
  /**
   * `auto` (default): GSM-7 if it contains every character, else UCS-2. `gsm7`: refused unless
   * GSM-7 contains every character. `smart`: typographic quotes, dashes, spaces and the like
   * become GSM-7 equivalents; the answer’s `message` shows the text.
   */
  encoding?: 'auto' | 'gsm7' | 'smart' | undefined;
  /**
   * When the message leaves, as a date and time with an offset (RFC 3339), as
   * `YYYY-MM-DDThh:mm:ss-05:00`: from 5 seconds to 35 days from now. It is charged at once,
   * and can be canceled until it leaves.
   */
  send_at?: string | undefined;
  /**
   * Seconds, from 60 to 14400: if the carrier does not have the message within that time after
   * it was accepted, or after `send_at`, it fails as `expired` and is refunded.
   */
  validity?: number | undefined;
  /**
   * Choice of another route. `once`: the next route is tried only if the first one certainly
   * did not deliver the message. `fast`: also when that is in doubt or takes too long; the
   * message may then arrive twice. It is charged once. Default: `once`.
   */
  delivery?: 'once' | 'fast' | undefined;
  /**
   * Seconds, from 8 to 300: without a receipt for so long, a message with `delivery` `fast` is
   * handed to another route.
   */
  hedge_seconds?: number | undefined;
  /** The `quote` of `POST /api/quote`: the same content then costs at most what was quoted. */
  quote?: string | undefined;
  /**
   * Seconds: a message to the same recipient with the same text that you sent within this
   * time, and that has not failed, is the answer, with `deduplicated`; nothing is sent or
   * charged.
   */
  dedupe?: number | undefined;
  /** The highest price in credits that you accept; the message is refused if it costs more. */
  max_credits?: number | undefined;
  /**
   * Pictures and other files, at most 10, together 5,000,000 bytes: each is `{"url": …}`,
   * which is fetched before the answer, or `{"media_id": …}` of `POST /api/media`. A form
   * repeats the field, with a URL or an id. The message is then an MMS, for numbers of the USA
   * and Canada.
   */
  media?:
    | (
        | {
            url: string;
          }
        | {
            media_id: string;
          }
      )[]
    | undefined;
  /**
   * Handling of files where MMS is not possible. `refuse` (default): `media_unsupported`.
   * `link`: a text that ends with links to the files, at the price of a text, for accounts
   * that are activated for URLs.
   */
  media_fallback?: 'refuse' | 'link' | undefined;
  /**
   * Whether pictures that are larger than the networks take are made smaller; animated ones
   * never are. With `false` they are refused.
   */
  transcode?: boolean | 'true' | 'false' | undefined;
}

export interface UploadMediaRequest {
  /** Where the file is. It is fetched before the answer. */
  url?: string | undefined;
}

export interface UploadedMedia {
  /** Id of the file: `ME` and 32 hex digits. */
  media_id: string;
  /** Its media type, as its bytes show it. */
  type: string;
  /** Its size. */
  bytes: number;
  /** SHA-256 of its bytes, in hex digits. */
  sha256: string;
  /** When the file is deleted, in UTC. Messages that wait keep it longer. */
  expires_at: string;
  /** Present if the key was a test key: nothing was stored. */
  test?: true;
}

export interface SendOtpRequest {
  /**
   * Phone number of the recipient with `+` and country code. Numbers without `+` are treated
   * as US numbers. One-time passwords are sent to countries whose `otp` is true in GET
   * /api/regions.
   */
  to: string;
  /**
   * Ways of reaching the person, at most 4, in order: the next begins when one fails, or when
   * its `wait_seconds` are over and the code was neither entered nor reported as delivered.
   * Each is `sms`, `whatsapp`, `voice` or `email`; `to` replaces the number, and is needed for
   * `email`. A form sends their names, separated by commas. Without it the code goes by SMS
   * alone.
   */
  channels?:
    | {
        /** Each channel is tried once. */
        channel: 'sms' | 'whatsapp' | 'voice' | 'email';
        /** A phone number in place of that of the code; for `email` the address, which it needs. */
        to?: string | undefined;
        /** Seconds until the next channel is tried. */
        wait_seconds?: number | undefined;
      }[]
    | undefined;
  /**
   * The highest price in credits of all `channels` together that you accept, which `POST
   * /api/quote` answers as `credits_max`. A resend costs its own price.
   */
  max_credits?: number | undefined;
  /**
   * Name of the sending organization, on one line: the text then begins with `Message from
   * [org].`
   */
  org?: string | undefined;
  /**
   * Your own code, which you verify yourself: digits, and capital letters without I, L and O.
   * Without it we make a code.
   */
  code?: string | undefined;
  /** Lifetime of the code in minutes. */
  limit?: number | undefined;
  /** Number of digits of the code. */
  length?: number | undefined;
  /**
   * Host name of your site, such as `example.com`: phones then autofill the code on this site
   * only.
   */
  domain?: string | undefined;
  /**
   * A number of your account, or the id of one or of a pool. Without it: the number that the
   * recipient knows, otherwise one of your default pool, otherwise one that the service
   * chooses.
   */
  from?: string | undefined;
  /**
   * Choice of another route. `once`: the next route is tried only if the first one certainly
   * did not deliver the message. `fast`: also when that is in doubt or takes too long; the
   * message may then arrive twice. It is charged once. Default: `fast`.
   */
  delivery?: 'once' | 'fast' | undefined;
  /**
   * Seconds, from 8 to 300: without a receipt for so long, a message with `delivery` `fast` is
   * handed to another route.
   */
  hedge_seconds?: number | undefined;
  /**
   * Network address of the end user who asked for the code: the fraud guard counts codes by
   * it.
   */
  ip?: string | undefined;
  /** Your name for the device of the end user: the fraud guard counts codes by it. */
  device?: string | undefined;
  /**
   * Your own reference for the message, up to 64 characters. It is returned in answers and
   * webhooks.
   */
  reference?: string | undefined;
}

export interface VerifyOtpRequest {
  /** The code that the person typed, as text because it may begin with 0. */
  otp: string;
  /**
   * Phone number that the code was sent to. Always send it, or `otp_id`: a code alone could
   * match another person’s number.
   */
  to?: string | undefined;
  /** The `otp_id` of the code, in place of `to`. */
  otp_id?: string | undefined;
}

export interface ResendOtpRequest {
  /** The `otp_id` that `sendotp` returned. */
  otp_id: string;
  /**
   * One of the `channels` of the code. Without it the next of them begins, or the latest sends
   * again if it was the last.
   */
  channel?: 'sms' | 'whatsapp' | 'voice' | 'email' | undefined;
}

export interface TriggerEventRequest {
  /** The type of the event. */
  type: string;
}

export interface TriggeredEvent {
  /** The `webhook-id` of the event. */
  event_id: string;
  /** Present for a test key, which creates nothing. */
  test?: true;
}

export interface AcceptedMessage {
  /** Id of the message: `SM` and 32 hex digits. */
  message_id: string;
  /** Number of segments. */
  segments: number;
  /** Price of the message in credits. A test key is not charged. */
  credits: number;
  /** Encoding of the text: GSM-7 has room for more characters. */
  encoding: 'GSM-7' | 'UCS-2';
  /** Credits left after this message. A test key gets an example. */
  balance: number;
  /** The reference that you sent, if any. */
  reference?: string;
  /** Present if the message is scheduled. */
  status?: 'scheduled';
  /** When a scheduled message leaves, in UTC. */
  send_at?: string;
  /**
   * Present if replies to this message go to another account, which texted this person from
   * the same number before.
   */
  replies?: 'unavailable';
  /** The `delivery` that you chose, if you did. */
  delivery?: 'once' | 'fast';
  /** Present if the key was a test key: nothing was sent or charged. */
  test?: true;
  /**
   * Present if you sent `dedupe` and this is an earlier message. Nothing was sent or charged
   * again.
   */
  deduplicated?: true;
  /**
   * The text as it is sent. Present if you sent `encoding` as `smart`, and if links take the
   * place of files.
   */
  message?: string;
  /** Present for a message with files, an MMS. */
  kind?: 'mms';
  /**
   * Present for a message with files, as long as they are known: each as it is sent.
   * `original_id`: present if the picture was made smaller for the networks; the id of the
   * file that it was made of.
   */
  media?: {
    media_id: string;
    url: string | null;
    type: string;
    bytes: number;
    sha256: string | null;
    original_id?: string;
  }[];
}

export interface Quote {
  /** Send it as `quote` with the same content: it then costs at most `credits`. */
  quote: string;
  /** When the quote expires: after 10 minutes, in UTC. */
  expires_at: string;
  /** Number of segments. */
  segments: number;
  /** Price of the message in credits. */
  credits: number;
  /** Encoding of the text: GSM-7 has room for more characters. */
  encoding: 'GSM-7' | 'UCS-2';
  /** The first 10 characters that GSM-7 does not contain. */
  unsupported_characters: string[];
  /** Country of the number, as ISO 3166-1 alpha-2 code. */
  country: string;
  /** Your credits. A test key gets an example. */
  balance: number;
  /** Credits left after sending; `null` if the balance does not cover the price. */
  balance_after: number | null;
  /** Present for a message with files, an MMS. Its files are looked at when it is sent. */
  kind?: 'mms';
  /** Present if the key was a test key. */
  test?: true;
}

export interface OtpQuote {
  /** The `channels` of a one-time password in order, each with its price in credits. */
  channels: {
    channel: 'sms' | 'whatsapp' | 'voice' | 'email';
    credits: number;
  }[];
  /** Price of the first channel in credits. */
  credits: number;
  /**
   * Price of all `channels` together in credits. Nothing holds it: send it as `max_credits` of
   * `sendotp`.
   */
  credits_max: number;
  /** Country of the number `to`, as ISO 3166-1 alpha-2 code. */
  country: string;
  /** Your credits. A test key gets an example. */
  balance: number;
  /**
   * Credits left if all `channels` are tried; `null` if the balance does not cover
   * `credits_max`.
   */
  balance_after: number | null;
  /** Present if the key was a test key. */
  test?: true;
}

export interface SentOtp {
  /** Id of the message: `SM` and 32 hex digits. */
  message_id: string;
  /** Number of segments. */
  segments: number;
  /** Price of the message in credits. A test key is not charged. */
  credits: number;
  /** Encoding of the text: GSM-7 has room for more characters. */
  encoding: 'GSM-7' | 'UCS-2';
  /** Credits left after this message. A test key gets an example. */
  balance: number;
  /** The reference that you sent, if any. */
  reference?: string;
  /** Present if the message is scheduled. */
  status?: 'scheduled';
  /** When a scheduled message leaves, in UTC. */
  send_at?: string;
  /**
   * Present if replies to this message go to another account, which texted this person from
   * the same number before.
   */
  replies?: 'unavailable';
  /** The `delivery` that you chose, if you did. */
  delivery?: 'once' | 'fast';
  /** Present if the key was a test key: nothing was sent or charged. */
  test?: true;
  /** Id of the one-time password: `OT` and 32 hex digits. */
  otp_id: string;
  /** When the code expires. Sending it again does not change this. */
  expires_at: string;
  /** When the code can be sent again; `null` if it cannot. */
  next_resend_at: string | null;
  /** Wrong attempts left before the code becomes invalid. */
  attempts_left: number;
  /** Present, as `false`, for your own `code`: we cannot verify it or send it again. */
  managed?: false;
  /** Present if you sent `channels`: the channel of this message. */
  channel?: 'sms' | 'whatsapp' | 'voice' | 'email';
  /** Present if you sent `channels`: the channel that is tried next; `null` if none is. */
  next_channel?: 'sms' | 'whatsapp' | 'voice' | 'email' | null;
  /** Present if you sent `channels`: when it is tried, unless the code is entered before. */
  next_channel_at?: string | null;
  /** Present if you sent `channels`: the price of all of them together. */
  credits_max?: number;
}

export interface OtpGuard {
  /** Whether codes to some numbers are refused because too few were verified. */
  suspicious: boolean;
  /** The rules: at most `sends_max` messages by what a rule counts within its window. */
  rules: {
    rule: string;
    counts: 'recipient' | 'ip' | 'device' | 'block' | 'call' | 'caller';
    sends_max: number;
    window_seconds: number;
    verified_percent_min: number | null;
  }[];
  /** Rules that refused codes within the last hour, latest first; `open`: still refused. */
  blocked: {
    otp_id: string;
    rule: string;
    to: string;
    country: string;
    block: string;
    sent: number;
    verified: number | null;
    refused: number;
    open: boolean;
    first_at: string;
    last_at: string;
  }[];
  /** When the guard was last reset. */
  reset_at: string | null;
  /** When the guard can be reset again; `null` if it can be now. */
  next_reset_at: string | null;
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface Otp {
  /** Id of the one-time password: `OT` and 32 hex digits. */
  otp_id: string;
  /**
   * State of the code. All but `pending` are final; `exhausted`: too many wrong attempts;
   * `blocked`: refused by the fraud guard, never sent; `unmanaged`: you made the code, and
   * verify it yourself.
   */
  status: 'pending' | 'verified' | 'expired' | 'exhausted' | 'blocked' | 'unmanaged';
  /** The recipient in E.164 format. */
  to: string;
  /** Country of the recipient, as ISO 3166-1 alpha-2 code. */
  country: string;
  /** Id of the latest message with the code; `null` if it was never sent. */
  message_id: string | null;
  /**
   * The messages with the code, in order: the first one and each resend, with their `status`
   * (`null` if the message was never accepted) and the `reason` if it was not delivered.
   */
  messages: {
    message_id: string;
    status: 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'canceled' | null;
    reason: {
      code: string;
      text: string;
      permanent: boolean;
    } | null;
    created_at: string;
    sent_at: string | null;
    finished_at: string | null;
  }[];
  /** When the first of them was delivered; `null` if none was, or it is not known yet. */
  delivered_at: string | null;
  /** Your own reference for the message. */
  reference: string | null;
  /** Attempts to verify this code, the right one included. */
  attempts: number;
  /** Wrong attempts left before the code becomes invalid. */
  attempts_left: number;
  /** How often the code can still be sent again. */
  resends_left: number;
  /** When the code can be sent again; `null` if it cannot. */
  next_resend_at: string | null;
  /** The named key that sent the code; `null` for the account's own key. */
  key_id: string | null;
  /** Its name; `null` also if it was revoked. */
  key_name: string | null;
  /** The rule of the fraud guard that refused the code; `null` if none did. */
  blocked_by: string | null;
  /** Channel of the latest message. */
  channel: 'sms' | 'whatsapp' | 'voice' | 'email';
  /** Channel that is tried next; `null` if none is. */
  next_channel: 'sms' | 'whatsapp' | 'voice' | 'email' | null;
  /** When it is tried, unless the code is entered before; `null` if none is. */
  next_channel_at: string | null;
  /**
   * The messages with their channels, in order. `outcome`: `started` while the carrier has not
   * answered, `refused` if nothing was sent or charged, otherwise the state of the message;
   * `reason`: why it did not arrive; `credits`: without refunds.
   */
  steps: {
    n: number;
    channel: 'sms' | 'whatsapp' | 'voice' | 'email';
    to: string;
    started_at: string;
    outcome: 'started' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'refused';
    reason: string | null;
    credits: number;
  }[];
  /**
   * The `n` of the step after which the code was entered: the latest that had left, because
   * all have the same code. `null` while the code is not verified.
   */
  entered_step: number | null;
  /** When the code was sent first, in UTC. */
  created_at: string;
  /** The last attempt to verify this code; `null` if there was none. */
  last_attempt_at: string | null;
  /** When the code was verified; `null` if it was not. */
  verified_at: string | null;
  /** When the code expires or has expired. */
  expires_at: string | null;
  /** When the code was verified, expired or became invalid; `null` while it is pending. */
  ended_at: string | null;
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface ListedOtp {
  /** Id of the one-time password: `OT` and 32 hex digits. */
  otp_id: string;
  /**
   * State of the code. All but `pending` are final; `exhausted`: too many wrong attempts;
   * `blocked`: refused by the fraud guard, never sent; `unmanaged`: you made the code, and
   * verify it yourself.
   */
  status: 'pending' | 'verified' | 'expired' | 'exhausted' | 'blocked' | 'unmanaged';
  /** The recipient in E.164 format. */
  to: string;
  /** Country of the recipient, as ISO 3166-1 alpha-2 code. */
  country: string;
  /** Id of the latest message with the code; `null` if it was never sent. */
  message_id: string | null;
  /**
   * The messages with the code, in order: the first one and each resend, with their `status`
   * (`null` if the message was never accepted) and the `reason` if it was not delivered.
   */
  messages: {
    message_id: string;
    status: 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'canceled' | null;
    reason: {
      code: string;
      text: string;
      permanent: boolean;
    } | null;
    created_at: string;
    sent_at: string | null;
    finished_at: string | null;
  }[];
  /** When the first of them was delivered; `null` if none was, or it is not known yet. */
  delivered_at: string | null;
  /** Your own reference for the message. */
  reference: string | null;
  /** Attempts to verify this code, the right one included. */
  attempts: number;
  /** Wrong attempts left before the code becomes invalid. */
  attempts_left: number;
  /** How often the code can still be sent again. */
  resends_left: number;
  /** When the code can be sent again; `null` if it cannot. */
  next_resend_at: string | null;
  /** The named key that sent the code; `null` for the account's own key. */
  key_id: string | null;
  /** Its name; `null` also if it was revoked. */
  key_name: string | null;
  /** The rule of the fraud guard that refused the code; `null` if none did. */
  blocked_by: string | null;
  /** Channel of the latest message. */
  channel: 'sms' | 'whatsapp' | 'voice' | 'email';
  /** Channel that is tried next; `null` if none is. */
  next_channel: 'sms' | 'whatsapp' | 'voice' | 'email' | null;
  /** When it is tried, unless the code is entered before; `null` if none is. */
  next_channel_at: string | null;
  /**
   * The messages with their channels, in order. `outcome`: `started` while the carrier has not
   * answered, `refused` if nothing was sent or charged, otherwise the state of the message;
   * `reason`: why it did not arrive; `credits`: without refunds.
   */
  steps: {
    n: number;
    channel: 'sms' | 'whatsapp' | 'voice' | 'email';
    to: string;
    started_at: string;
    outcome: 'started' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'refused';
    reason: string | null;
    credits: number;
  }[];
  /**
   * The `n` of the step after which the code was entered: the latest that had left, because
   * all have the same code. `null` while the code is not verified.
   */
  entered_step: number | null;
  /** When the code was sent first, in UTC. */
  created_at: string;
  /** The last attempt to verify this code; `null` if there was none. */
  last_attempt_at: string | null;
  /** When the code was verified; `null` if it was not. */
  verified_at: string | null;
  /** When the code expires or has expired. */
  expires_at: string | null;
  /** When the code was verified, expired or became invalid; `null` while it is pending. */
  ended_at: string | null;
}

export interface OtpsAnswer {
  /** Your codes, newest first. */
  otps: ListedOtp[];
  /** Send it as `cursor` to get the next page; `null` on the last page. */
  next_cursor: string | null;
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface OtpConversion {
  /** First day that counts, in New York. */
  from: string;
  /** Last day that counts, inclusive. */
  to: string;
  /** Codes that were sent. A code counts once, however often it was sent again. */
  sent: number;
  /** Codes that were verified. */
  verified: number;
  /** Share of verified codes, with one decimal; `null` if none was sent. */
  verified_percent: number | null;
  /** The same by country of the recipient, as ISO 3166-1 alpha-2 code. */
  countries: {
    country: string;
    sent: number;
    verified: number;
    verified_percent: number | null;
  }[];
  /**
   * The same by day on which the codes were first sent, oldest first, without those without
   * codes.
   */
  days: {
    day: string;
    sent: number;
    verified: number;
    verified_percent: number | null;
  }[];
  /**
   * For codes with `channels`: messages by channel and country, and the codes that were
   * entered after them.
   */
  channels: {
    channel: 'sms' | 'whatsapp' | 'voice' | 'email';
    country: string;
    sent: number;
    verified: number;
    verified_percent: number | null;
  }[];
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface OtpVerdict {
  /** Result of the verification. */
  status: 'verified' | 'not_found' | 'expired' | 'already_used';
  /** The recipient whose code was verified. Compare it with the person that you expect. */
  to?: string;
  /** The code that was verified. */
  otp_id?: string;
  /** When the code expires or has expired, in UTC. Absent if the code is unknown. */
  expires_at?: string;
  /**
   * Wrong tries left before the code becomes invalid. Present if `to` or `otp_id` was sent and
   * names a live code.
   */
  attempts_left?: number;
}

export interface OptOuts {
  /**
   * The latest opt-out first. `number`: the person. `sender`: the number that the person opted
   * out of; `null` if the carrier chose it. `status`: `opted_out`, or `opted_in` once the
   * person replied START. `source`: `reply`, or `carrier` if the carrier refused a message
   * because it knew. `word`: the keyword of a reply to you; `null` if the person replied to
   * another account that uses the sender.
   */
  optouts: {
    number: string;
    sender: string | null;
    status: 'opted_out' | 'opted_in';
    opted_out_at: string;
    opted_in_at: string | null;
    source: 'reply' | 'carrier';
    word: string | null;
  }[];
  /** Send it as `cursor` to get the next page; `null` on the last page. */
  next_cursor: string | null;
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface Balance {
  /** Credits left: `purchased` minus `used`. */
  balance: number;
  /** All credits that were added. */
  purchased: number;
  /** Credits spent minus refunds. */
  used: number;
  /**
   * Present if a part of the balance cannot be spent: its payment is disputed, or a number is
   * being bought.
   */
  frozen?: number;
  /**
   * Present if your key has a budget: the credits it may spend in a day and in a month (New
   * York), `null` without a limit, and what it has spent.
   */
  budget?: {
    credits_per_day: number | null;
    credits_per_month: number | null;
    spent_today: number;
    spent_this_month: number;
  };
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface Notifications {
  /**
   * Each with its `code`; `severity`: `critical` when something does not work now, else
   * `warning`; `since`, `null` where the beginning is not known; a `message`, the `action` to
   * take, the `url` of the dashboard where it is taken, and the `figures` of the message, by
   * code. `id` names the cause: the same code with another cause has another id. Later
   * versions may add codes.
   */
  notifications: {
    id: string;
    code:
      | 'webhook_off'
      | 'webhook_failing'
      | 'credits_empty'
      | 'credits_low'
      | 'sending_suspended'
      | 'codes_paused'
      | 'messages_filtered'
      | 'number_past_due'
      | 'number_filtered'
      | 'key_budget'
      | 'payment_disputed'
      | 'top_up_off'
      | 'top_up_declined'
      | 'top_up_confirm'
      | 'top_up_paused'
      | 'top_up_limit'
      | 'account_deletion'
      | 'welcome_email_failed';
    severity: 'critical' | 'warning';
    since: string | null;
    message: string;
    action: string;
    url: string;
    figures: Record<string, string | number | null>;
  }[];
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface Deliverability {
  /** First day of acceptance that counts, in New York. */
  from: string;
  /** Last day of acceptance that counts, inclusive. */
  to: string;
  /** Messages that have ended: delivered or not. Canceled ones do not count. */
  messages: number;
  /** Messages that were delivered. */
  delivered: number;
  /**
   * Why the others were not delivered, the most frequent reason first. `code` is a filter of
   * `GET /api/messages`. `permanent`: the same message to the same number would fail again.
   */
  reasons: {
    code: string;
    text: string;
    permanent: boolean;
    messages: number;
  }[];
  /** By country of the recipient, as ISO 3166-1 alpha-2 code; the largest first. */
  countries: {
    country: string;
    messages: number;
    delivered: number;
  }[];
  /** By day of acceptance, oldest first, without those on which no message ended. */
  days: {
    day: string;
    messages: number;
    delivered: number;
  }[];
  /**
   * By the key that sent them, the largest first. `key_id` and `name` are `null` for the own
   * key of your account and for the dashboard, `name` also for a key that was revoked.
   */
  keys: {
    key_id: string | null;
    name: string | null;
    messages: number;
    delivered: number;
  }[];
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface Spend {
  /** First day that counts, in New York. */
  from: string;
  /** Last day that counts, inclusive. */
  to: string;
  /** Messages, one-time passwords and replies that were charged. */
  messages: number;
  /** Credits charged for them. */
  charged: number;
  /** Credits that came back on these days. */
  refunded: number;
  /** `charged` less `refunded`; below 0 where refunds are for charges of earlier days. */
  spent: number;
  /** By month, oldest first, and by key within each month. */
  months: {
    month: string;
    messages: number;
    charged: number;
    refunded: number;
    spent: number;
    keys: {
      key_id: string | null;
      name: string | null;
      messages: number;
      charged: number;
      refunded: number;
      spent: number;
    }[];
  }[];
  /** By day, oldest first, without those on which no credits moved. */
  days: {
    day: string;
    messages: number;
    charged: number;
    refunded: number;
    spent: number;
  }[];
  /**
   * By key, the largest first. `key_id` and `name` are `null` for the own key of your account,
   * the dashboard and replies, `name` also for a key that was revoked.
   */
  keys: {
    key_id: string | null;
    name: string | null;
    messages: number;
    charged: number;
    refunded: number;
    spent: number;
  }[];
  /**
   * By country of the recipient, as ISO 3166-1 alpha-2 code; the largest first. `null`:
   * replies, and messages that are not kept any more.
   */
  countries: {
    country: string | null;
    messages: number;
    charged: number;
    refunded: number;
    spent: number;
  }[];
  /** By what they were spent for: `message`, `otp`, or `reply`. */
  kinds: {
    kind: 'message' | 'otp' | 'reply' | 'number';
    messages: number;
    charged: number;
    refunded: number;
    spent: number;
  }[];
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface Exposure {
  /** The most credits that could be spent before you notice. */
  credits: number;
  /**
   * Limit that ends the spending: `balance` (all credits are gone, those of top-ups too),
   * `daily_limit`, `budgets` of the keys, or `sending_off`.
   */
  bound: 'sending_off' | 'balance' | 'daily_limit' | 'budgets';
  /** The time within which you are assumed to notice. */
  within_hours: number;
  /** Credits that can be spent now. */
  available: number;
  /** Credits that automatic top-up could buy within this time. */
  top_up_credits: number;
  /**
   * Credits that numbers could cost within this time: your account’s own key and keys with the
   * scope `numbers` buy at most 5 a day. 0 before your first paid purchase.
   */
  number_credits: number;
  /** Messages that your daily limit allows within this time. */
  messages: number;
  /** Price of the dearest message: 10 segments to your dearest country. */
  credits_per_message: number;
  /**
   * The same for each live key alone, the largest first. `key_id` is `null` for your account’s
   * own key.
   */
  keys: {
    key_id: string | null;
    name: string | null;
    credits: number;
  }[];
  /**
   * Changes that lower `credits`: what to do, and the credits after it. `switch`:
   * `top_up_off`.
   */
  switches: {
    switch: 'top_up_off';
    key_id: string | null;
    text: string;
    credits: number;
  }[];
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface DeliveryQuality {
  /** When the newest figures were computed; `null` while there are none to show. */
  computed_at: string | null;
  /**
   * Newest day first, then by country. `day`: the UTC day of acceptance. `delivered_percent`:
   * of the messages that were delivered, undelivered or failed. `median_seconds`,
   * `p95_seconds`: from acceptance, or from `send_at`, to delivery; `null` if none was
   * delivered. `verified_percent`: of the one-time passwords that were sent on that day in New
   * York, a figure that no carrier can make up; `null` with too few of them to show.
   */
  quality: {
    day: string;
    country: string;
    delivered_percent: number;
    median_seconds: number | null;
    p95_seconds: number | null;
    verified_percent: number | null;
  }[];
}

export interface Regions {
  /**
   * All countries of the table, by name. `credits_per_sms`: price of a segment. `active`:
   * messages to it are accepted. `otp`: one-time passwords are sent there. `voice`: they are
   * spoken in calls there, as the channel `voice` of `sendotp`.
   */
  regions: {
    country: string;
    code: string;
    iso2: string;
    area_code: string;
    credits_per_sms: number;
    active: boolean;
    otp: boolean;
    voice: boolean;
  }[];
}

export interface ServiceStatus {
  /** When the components were measured last; `null` if never. */
  measured_at: string | null;
  /**
   * `api`: the server that answers. `sending`, `webhooks`, `email`: measured every minute by
   * how long the oldest of them waits for us; `unknown` if not measured for five minutes.
   */
  components: {
    component: 'api' | 'sending' | 'webhooks' | 'email';
    state: 'operational' | 'degraded' | 'outage' | 'unknown';
  }[];
  /**
   * Incidents of the last 90 days, newest first. `state`: the worst that was reached. A state
   * counts once it was measured twice in a row. `ended_at`: `null` while it lasts.
   */
  incidents: {
    component: 'api' | 'sending' | 'webhooks' | 'email';
    state: 'degraded' | 'outage';
    started_at: string;
    ended_at: string | null;
  }[];
  /**
   * Every component on each of the last 90 UTC days, today last. `state`: the worst of the
   * day, `unknown` if it was not measured. `available_percent`: of the measured time without
   * an outage, rounded down; `null` if it was not measured. `measured_percent`: of the day, or
   * of today until now.
   */
  history: {
    component: 'api' | 'sending' | 'webhooks' | 'email';
    available_percent: number | null;
    days: {
      day: string;
      state: 'operational' | 'degraded' | 'outage' | 'unknown';
      available_percent: number | null;
      measured_percent: number;
    }[];
  }[];
}

export interface AvailableNumber {
  /** The number in E.164 format. */
  number: string;
  /** Where it is from; `null` for a toll-free number. */
  locality: string | null;
  /** Kinds of messages that the number takes and sends. */
  capabilities: ('sms' | 'mms')[];
  /** Its rent in credits. */
  credits_per_month: number;
  /** Credits that it costs once, besides. */
  setup_credits: number;
}

export interface AvailableNumbers {
  /** Numbers that you can buy now. */
  numbers: AvailableNumber[];
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface BuyNumberRequest {
  /** The number, as a search has listed it. */
  number: string;
  /** Your name for it, up to 60 characters. */
  label?: string | undefined;
  /**
   * `false`: it is released when the month that is paid ends. `true` (default): its rent is
   * taken then.
   */
  auto_renew?: boolean | undefined;
}

export interface BoughtNumber {
  /** Id of the number: `num_` and 32 hex digits. */
  number_id: string;
  /** The number in E.164 format. */
  number: string;
  /**
   * `active`, or `reserving` while the carrier has not answered. To a repeated request: the
   * state of the number now.
   */
  status: 'reserving' | 'active' | 'past_due' | 'releasing' | 'released';
  /** When the month that is paid ends; `null` while `reserving`, and after a release. */
  renews_at: string | null;
  /**
   * Credits that it costs now. Held while `reserving`, and returned if the carrier does not
   * sell it.
   */
  credits: number;
  /** Credits left. */
  balance: number;
  /** Present if the key was a test key: nothing was bought or charged. */
  test?: true;
}

export interface OwnNumber {
  /** Id of the number: `num_` and 32 hex digits. */
  number_id: string;
  /** The number in E.164 format; one of the operator may be the id of a messaging service. */
  number: string;
  /** Your name for it, up to 60 characters. */
  label: string | null;
  /** `local` or `toll_free`; `null` for a number of the operator. */
  type: 'local' | 'toll_free' | null;
  /** Its country, as ISO 3166-1 alpha-2 code; `null` for a number of the operator. */
  country: string | null;
  /** Kinds of messages that the number takes and sends. */
  capabilities: ('sms' | 'mms')[];
  /** `purchase`: you bought it. `operator`: the operator has given it to you. */
  origin: 'purchase' | 'operator';
  /**
   * `reserving`: its purchase is not decided yet. `active`. `past_due`: its rent is due, and
   * it works until `releases_at`. `releasing`: nothing is sent from it, and texts to it are
   * stored, uncharged; it is given back at `releases_at`, until which you can undo it.
   * `released`.
   */
  status: 'reserving' | 'active' | 'past_due' | 'releasing' | 'released';
  /**
   * `false`: it is released when the month that is paid ends. `true` (default): its rent is
   * taken then.
   */
  auto_renew: boolean;
  /** Its rent in credits; `null` for a number of the operator. */
  credits_per_month: number | null;
  /**
   * How many texts of people whom you have never texted are received, and charged, in a day,
   * New York time; 0: none. Further ones are stored as `limited`: they cost nothing and are
   * not sent to your webhook. Replies of people whom you have texted do not count. `null` for
   * a number of the operator. A key sets up to 100, the dashboard more.
   */
  strangers_per_day: number | null;
  /** When the month that is paid ends, in UTC. */
  renews_at: string | null;
  /** Since when its rent is due and not paid. */
  past_due_since: string | null;
  /**
   * When it is released, unless its rent is paid, `auto_renew` is set or the release is
   * undone.
   */
  releases_at: string | null;
  /** When it was released. */
  released_at: string | null;
  /**
   * Since when carriers filter its messages, so that pools do not use it; `null` if they do
   * not.
   */
  filtered_at: string | null;
  /** Ids of the pools that it is in. */
  pools: string[];
  /** When you bought it, in UTC. */
  created_at: string;
}

export interface OwnNumbers {
  /** Your numbers, newest first. */
  numbers: OwnNumber[];
  /** How many numbers you may have at a time. */
  numbers_max: number;
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface NumberTraffic {
  /** The oldest message that was looked at. */
  since: string | null;
  /** Messages from the number. */
  sent: number;
  /** Messages that were delivered. */
  delivered: number;
  /** Messages that were not delivered. */
  failed: number;
  /** Messages that wait or are scheduled: they fail and are refunded when it is released. */
  waiting: number;
  /** Messages to the number. */
  replies: number;
  /** People that it talked to. */
  people: number;
  /** Why messages were not delivered, the most frequent reason first. */
  reasons: {
    code: string;
    text: string;
    messages: number;
  }[];
}

export interface OwnNumberAnswer {
  /** Id of the number: `num_` and 32 hex digits. */
  number_id: string;
  /** The number in E.164 format; one of the operator may be the id of a messaging service. */
  number: string;
  /** Your name for it, up to 60 characters. */
  label: string | null;
  /** `local` or `toll_free`; `null` for a number of the operator. */
  type: 'local' | 'toll_free' | null;
  /** Its country, as ISO 3166-1 alpha-2 code; `null` for a number of the operator. */
  country: string | null;
  /** Kinds of messages that the number takes and sends. */
  capabilities: ('sms' | 'mms')[];
  /** `purchase`: you bought it. `operator`: the operator has given it to you. */
  origin: 'purchase' | 'operator';
  /**
   * `reserving`: its purchase is not decided yet. `active`. `past_due`: its rent is due, and
   * it works until `releases_at`. `releasing`: nothing is sent from it, and texts to it are
   * stored, uncharged; it is given back at `releases_at`, until which you can undo it.
   * `released`.
   */
  status: 'reserving' | 'active' | 'past_due' | 'releasing' | 'released';
  /**
   * `false`: it is released when the month that is paid ends. `true` (default): its rent is
   * taken then.
   */
  auto_renew: boolean;
  /** Its rent in credits; `null` for a number of the operator. */
  credits_per_month: number | null;
  /**
   * How many texts of people whom you have never texted are received, and charged, in a day,
   * New York time; 0: none. Further ones are stored as `limited`: they cost nothing and are
   * not sent to your webhook. Replies of people whom you have texted do not count. `null` for
   * a number of the operator. A key sets up to 100, the dashboard more.
   */
  strangers_per_day: number | null;
  /** When the month that is paid ends, in UTC. */
  renews_at: string | null;
  /** Since when its rent is due and not paid. */
  past_due_since: string | null;
  /**
   * When it is released, unless its rent is paid, `auto_renew` is set or the release is
   * undone.
   */
  releases_at: string | null;
  /** When it was released. */
  released_at: string | null;
  /**
   * Since when carriers filter its messages, so that pools do not use it; `null` if they do
   * not.
   */
  filtered_at: string | null;
  /** Ids of the pools that it is in. */
  pools: string[];
  /** When you bought it, in UTC. */
  created_at: string;
  /** Messages of the number, among your newest 5,000 ones. */
  traffic: NumberTraffic;
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface ChangeNumberRequest {
  /** Your name for it, up to 60 characters. */
  label?: string | undefined;
  /**
   * `false`: it is released when the month that is paid ends. `true` (default): its rent is
   * taken then.
   */
  auto_renew?: boolean | undefined;
  /**
   * How many texts of people whom you have never texted are received, and charged, in a day,
   * New York time; 0: none. Further ones are stored as `limited`: they cost nothing and are
   * not sent to your webhook. Replies of people whom you have texted do not count. `null` for
   * a number of the operator. A key sets up to 100, the dashboard more.
   */
  strangers_per_day?: number | undefined;
}

export interface ChangedNumber {
  /** Id of the number: `num_` and 32 hex digits. */
  number_id: string;
  /** The number in E.164 format; one of the operator may be the id of a messaging service. */
  number: string;
  /** Your name for it, up to 60 characters. */
  label: string | null;
  /** `local` or `toll_free`; `null` for a number of the operator. */
  type: 'local' | 'toll_free' | null;
  /** Its country, as ISO 3166-1 alpha-2 code; `null` for a number of the operator. */
  country: string | null;
  /** Kinds of messages that the number takes and sends. */
  capabilities: ('sms' | 'mms')[];
  /** `purchase`: you bought it. `operator`: the operator has given it to you. */
  origin: 'purchase' | 'operator';
  /**
   * `reserving`: its purchase is not decided yet. `active`. `past_due`: its rent is due, and
   * it works until `releases_at`. `releasing`: nothing is sent from it, and texts to it are
   * stored, uncharged; it is given back at `releases_at`, until which you can undo it.
   * `released`.
   */
  status: 'reserving' | 'active' | 'past_due' | 'releasing' | 'released';
  /**
   * `false`: it is released when the month that is paid ends. `true` (default): its rent is
   * taken then.
   */
  auto_renew: boolean;
  /** Its rent in credits; `null` for a number of the operator. */
  credits_per_month: number | null;
  /**
   * How many texts of people whom you have never texted are received, and charged, in a day,
   * New York time; 0: none. Further ones are stored as `limited`: they cost nothing and are
   * not sent to your webhook. Replies of people whom you have texted do not count. `null` for
   * a number of the operator. A key sets up to 100, the dashboard more.
   */
  strangers_per_day: number | null;
  /** When the month that is paid ends, in UTC. */
  renews_at: string | null;
  /** Since when its rent is due and not paid. */
  past_due_since: string | null;
  /**
   * When it is released, unless its rent is paid, `auto_renew` is set or the release is
   * undone.
   */
  releases_at: string | null;
  /** When it was released. */
  released_at: string | null;
  /**
   * Since when carriers filter its messages, so that pools do not use it; `null` if they do
   * not.
   */
  filtered_at: string | null;
  /** Ids of the pools that it is in. */
  pools: string[];
  /** When you bought it, in UTC. */
  created_at: string;
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface PoolRequest {
  /** Up to 60 characters. A pool of this name gets these numbers. */
  name: string;
  /** Up to 50 of your numbers, or their ids. */
  numbers: string[];
  /**
   * Whether messages without `from` take its numbers. Your first pool does, unless you send
   * `false`.
   */
  default?: boolean | undefined;
}

export interface Pool {
  /** Id of the pool: `pool_` and 32 hex digits. */
  pool_id: string;
  /** Its name, unique in your account. */
  name: string;
  /** Whether messages without `from` take its numbers. */
  default: boolean;
  /**
   * Its numbers. `active`: messages take it. It is not while carriers filter its messages
   * (`filtered_at`), or its `status` does not allow it.
   */
  numbers: {
    number_id: string;
    number: string;
    status: 'reserving' | 'active' | 'past_due' | 'releasing' | 'released';
    active: boolean;
    filtered_at: string | null;
  }[];
  /** When it was created, in UTC. */
  created_at: string;
}

export interface PoolAnswer {
  /** Id of the pool: `pool_` and 32 hex digits. */
  pool_id: string;
  /** Its name, unique in your account. */
  name: string;
  /** Whether messages without `from` take its numbers. */
  default: boolean;
  /**
   * Its numbers. `active`: messages take it. It is not while carriers filter its messages
   * (`filtered_at`), or its `status` does not allow it.
   */
  numbers: {
    number_id: string;
    number: string;
    status: 'reserving' | 'active' | 'past_due' | 'releasing' | 'released';
    active: boolean;
    filtered_at: string | null;
  }[];
  /** When it was created, in UTC. */
  created_at: string;
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface PoolsAnswer {
  /** Your pools, oldest first. */
  pools: Pool[];
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface PoolDeleted {
  /** Id of the pool: `pool_` and 32 hex digits. */
  pool_id: string;
  /** Its numbers stay yours. */
  deleted: true;
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface CreateTotpRequest {
  /**
   * Names the person’s account in the app, such as an email address: up to 100 characters on
   * one line, without a colon.
   */
  label: string;
  /** Names you in the app: up to 40 characters on one line, without a colon. */
  issuer?: string | undefined;
}

export interface CreatedTotp {
  /** Id of the authenticator: `TP` and 32 hex digits. */
  totp_id: string;
  /** Names the person’s account in the app, such as an email address. */
  label: string;
  /** Names you in the app; `null` if you left it out. */
  issuer: string | null;
  /** The secret in base32, for people who type it into the app. It is not shown again. */
  secret: string;
  /** The address that adds it to the app on the same phone. It contains the secret. */
  otpauth_url: string;
  /** The address as a QR code, an SVG image for your page. It contains the secret. */
  qr_svg: string;
  /** When it was created, in UTC. */
  created_at: string;
  /**
   * Present if the key was a test key: nothing was stored, and the secret is that of all test
   * keys.
   */
  test?: true;
}

export interface VerifyTotpRequest {
  /**
   * The 6 digits that the app shows, or a recovery code, as the person entered it: as text,
   * because it may begin with 0. Spaces, dashes and small letters are read.
   */
  code: string;
}

export interface TotpVerdict {
  /** Id of the authenticator: `TP` and 32 hex digits. */
  totp_id: string;
  /**
   * `verified`: the code is right, and counts once. `wrong`: it is not, or is no code. `used`:
   * it, or a later one, was accepted before. `locked`: 10 codes were wrong, so none is looked
   * at, right or wrong, until `locked_until`.
   */
  status: 'verified' | 'wrong' | 'used' | 'locked';
  /**
   * The kind of code that was verified, or used before: `app` or `recovery_code`. `null` for
   * other results.
   */
  method: 'app' | 'recovery_code' | null;
  /**
   * Wrong codes left until the authenticator is locked; 0 while it is. An accepted code gives
   * all back.
   */
  attempts_left: number;
  /** When the lock ends, in UTC; `null` unless it is locked now. */
  locked_until: string | null;
  /** Recovery codes that were not used. */
  recovery_codes_left: number;
  /** Present if the key was a test key: nothing was counted or stored. */
  test?: true;
}

export interface RecoveryCodes {
  /** Id of the authenticator: `TP` and 32 hex digits. */
  totp_id: string;
  /** The codes. They are not shown again. */
  recovery_codes: string[];
  /** Present if the key was a test key: these are the codes of all test keys. */
  test?: true;
}

export interface Totp {
  /** Id of the authenticator: `TP` and 32 hex digits. */
  totp_id: string;
  /** Names the person’s account in the app, such as an email address. */
  label: string;
  /** Names you in the app; `null` if you left it out. */
  issuer: string | null;
  /** When it was created, in UTC. */
  created_at: string;
  /**
   * When a code of the app was accepted first; `null` until then: the person may not have set
   * it up.
   */
  verified_at: string | null;
  /** When a code was accepted last, of the app or for recovery. */
  last_used_at: string | null;
  /**
   * Wrong codes left until the authenticator is locked; 0 while it is. An accepted code gives
   * all back.
   */
  attempts_left: number;
  /** When the lock ends, in UTC; `null` unless it is locked now. */
  locked_until: string | null;
  /** Recovery codes that were not used. */
  recovery_codes_left: number;
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface ListedTotp {
  /** Id of the authenticator: `TP` and 32 hex digits. */
  totp_id: string;
  /** Names the person’s account in the app, such as an email address. */
  label: string;
  /** Names you in the app; `null` if you left it out. */
  issuer: string | null;
  /** When it was created, in UTC. */
  created_at: string;
  /**
   * When a code of the app was accepted first; `null` until then: the person may not have set
   * it up.
   */
  verified_at: string | null;
  /** When a code was accepted last, of the app or for recovery. */
  last_used_at: string | null;
  /**
   * Wrong codes left until the authenticator is locked; 0 while it is. An accepted code gives
   * all back.
   */
  attempts_left: number;
  /** When the lock ends, in UTC; `null` unless it is locked now. */
  locked_until: string | null;
  /** Recovery codes that were not used. */
  recovery_codes_left: number;
}

export interface TotpsAnswer {
  /** Your authenticators, newest first. */
  totps: ListedTotp[];
  /** Send it as `cursor` to get the next page; `null` on the last page. */
  next_cursor: string | null;
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface TotpDeleted {
  /** Id of the authenticator: `TP` and 32 hex digits. */
  totp_id: string;
  /** Its codes and recovery codes are not accepted any more. */
  deleted: true;
  /** Present if the key was a test key: this is an example. */
  test?: true;
}
