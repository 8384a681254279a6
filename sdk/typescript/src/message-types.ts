// Generated from the contract by `npm run -s docs:sdk`.

export interface MessageMedia {
  /** Id of the file: `ME` and 32 hex digits. */
  media_id: string;
  /** Its media type, as its bytes show it. */
  type: string;
  /** Its size. */
  bytes: number;
  /** SHA-256 of its bytes, in hex digits; `null` once the file has been deleted. */
  sha256: string | null;
  /**
   * A link to the file that works without a key, for 7 days; `null` once the file has been
   * deleted.
   */
  url: string | null;
  /**
   * Present if the picture was made smaller for the networks: the id of the file that you
   * gave.
   */
  original_id?: string;
}

export interface Message {
  /** Id of the message: `SM` and 32 hex digits. */
  message_id: string;
  /** The recipient in E.164 format. */
  to: string;
  /** The sender; `null` until the carrier accepts the message. */
  from: string | null;
  /** The text. OTPs are masked with asterisks. */
  message: string;
  /** State of the message. The last four are final. */
  status: 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'canceled';
  /** Number of segments. */
  segments: number;
  /** Price of the message in credits. */
  credits: number;
  /** Credits that were refunded: all of them if the message was not delivered. */
  refunded: number;
  /** Your own reference for the message. */
  reference: string | null;
  /** Why the message was not delivered, as a code of ours; `null` if there was no error. */
  error_code: string | null;
  /** Error code of the carrier. */
  carrier_error: number | null;
  /**
   * Why the message was not delivered, in words; `null` if there was no error. `code`: the
   * carrier’s if there is one, else ours. `permanent`: the same message to the same number
   * would fail again.
   */
  reason: {
    code: string;
    text: string;
    permanent: boolean;
  } | null;
  /** Whether another route is tried only when that is safe, `once`, or also in doubt, `fast`. */
  delivery: 'once' | 'fast';
  /**
   * Number of hand-overs to carriers, including those that a carrier did not take.
   * `attempt_list` of the record has a row for each.
   */
  attempts: number;
  /** When the message was accepted, in UTC. */
  created_at: string;
  /** When a scheduled message leaves; `null` for one that left at once. */
  send_at: string | null;
  /** The message fails if the carrier does not have it by then; `null` without `validity`. */
  expires_at: string | null;
  /** When the carrier accepted the message. */
  sent_at: string | null;
  /** When the message reached its final state. */
  finished_at: string | null;
  /** Present for a message with files. */
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

export interface MessageAnswer {
  /** Id of the message: `SM` and 32 hex digits. */
  message_id: string;
  /** The recipient in E.164 format. */
  to: string;
  /** The sender; `null` until the carrier accepts the message. */
  from: string | null;
  /** The text. OTPs are masked with asterisks. */
  message: string;
  /** State of the message. The last four are final. */
  status: 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'canceled';
  /** Number of segments. */
  segments: number;
  /** Price of the message in credits. */
  credits: number;
  /** Credits that were refunded: all of them if the message was not delivered. */
  refunded: number;
  /** Your own reference for the message. */
  reference: string | null;
  /** Why the message was not delivered, as a code of ours; `null` if there was no error. */
  error_code: string | null;
  /** Error code of the carrier. */
  carrier_error: number | null;
  /**
   * Why the message was not delivered, in words; `null` if there was no error. `code`: the
   * carrier’s if there is one, else ours. `permanent`: the same message to the same number
   * would fail again.
   */
  reason: {
    code: string;
    text: string;
    permanent: boolean;
  } | null;
  /** Whether another route is tried only when that is safe, `once`, or also in doubt, `fast`. */
  delivery: 'once' | 'fast';
  /**
   * Number of hand-overs to carriers, including those that a carrier did not take.
   * `attempt_list` of the record has a row for each.
   */
  attempts: number;
  /** When the message was accepted, in UTC. */
  created_at: string;
  /** When a scheduled message leaves; `null` for one that left at once. */
  send_at: string | null;
  /** The message fails if the carrier does not have it by then; `null` without `validity`. */
  expires_at: string | null;
  /** When the carrier accepted the message. */
  sent_at: string | null;
  /** When the message reached its final state. */
  finished_at: string | null;
  /** Present for a message with files. */
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
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface MessageRecord {
  /** Id of the message: `SM` and 32 hex digits. */
  message_id: string;
  /** The recipient in E.164 format. */
  to: string;
  /** The sender; `null` until the carrier accepts the message. */
  from: string | null;
  /** The text. OTPs are masked with asterisks. */
  message: string;
  /** State of the message. The last four are final. */
  status: 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'canceled';
  /** Number of segments. */
  segments: number;
  /** Price of the message in credits. */
  credits: number;
  /** Credits that were refunded: all of them if the message was not delivered. */
  refunded: number;
  /** Your own reference for the message. */
  reference: string | null;
  /** Why the message was not delivered, as a code of ours; `null` if there was no error. */
  error_code: string | null;
  /** Error code of the carrier. */
  carrier_error: number | null;
  /**
   * Why the message was not delivered, in words; `null` if there was no error. `code`: the
   * carrier’s if there is one, else ours. `permanent`: the same message to the same number
   * would fail again.
   */
  reason: {
    code: string;
    text: string;
    permanent: boolean;
  } | null;
  /** Whether another route is tried only when that is safe, `once`, or also in doubt, `fast`. */
  delivery: 'once' | 'fast';
  /**
   * Number of hand-overs to carriers, including those that a carrier did not take.
   * `attempt_list` of the record has a row for each.
   */
  attempts: number;
  /** When the message was accepted, in UTC. */
  created_at: string;
  /** When a scheduled message leaves; `null` for one that left at once. */
  send_at: string | null;
  /** The message fails if the carrier does not have it by then; `null` without `validity`. */
  expires_at: string | null;
  /** When the carrier accepted the message. */
  sent_at: string | null;
  /** When the message reached its final state. */
  finished_at: string | null;
  /** `otp` for a one-time password, whose code is masked; `mms` for a message with files. */
  kind: 'sms' | 'mms' | 'otp';
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
  /** When this record was made. */
  recorded_at: string;
  /** Encoding of the text; `null` once the text is deleted. */
  encoding: 'GSM-7' | 'UCS-2' | null;
  /** Id of the message at the carrier; `null` until the carrier accepts it. */
  carrier_id: string | null;
  /**
   * Meaning of `delivered` on its route: `handset`, it reached the phone; `network`, the
   * network of the phone confirmed it; `none`, nothing more than `sent`.
   */
  receipt_level: 'handset' | 'network' | 'none';
  /**
   * Its hand-overs to routes, in order. Routes are named within the message, `r1`, `r2`.
   * `reason`: why this route got it: `first`, `not_taken`, `route_failed`, `doubtful`, `slow`,
   * `route_paused`. `outcome`: `accepted`, `not_taken`, `doubtful`; `null` while it is not
   * known. Of tries by one route the last one is shown.
   */
  attempt_list: {
    n: number;
    route: string;
    sender: string;
    handed_at: string | null;
    outcome: 'accepted' | 'not_taken' | 'doubtful' | null;
    reason: 'first' | 'not_taken' | 'route_failed' | 'doubtful' | 'slow' | 'route_paused';
    receipt: 'delivered' | 'undelivered' | 'failed' | null;
  }[];
  /**
   * The states it reached, in order. `cause` is `accepted`, `send_at`, `claimed`,
   * `carrier_accepted`, `delivery_receipt`, `canceled`, or the `error_code` of a message that
   * was not delivered.
   */
  transitions: {
    status: 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'canceled';
    at: string;
    cause: string;
  }[];
  /** The refund of its price; `null` if it was not refunded. */
  refund: {
    credits: number;
    at: string;
  } | null;
  /**
   * Its entries in the ledger of your account, with their numbers, and the seal that covers
   * each: `null` until the entry is sealed, within a minute.
   */
  ledger: {
    number: number;
    at: string;
    kind:
      | 'signup'
      | 'purchase'
      | 'redeem'
      | 'message'
      | 'otp'
      | 'inbound'
      | 'refund'
      | 'chargeback'
      | 'adjustment'
      | 'number_rent'
      | 'number_setup';
    amount: number;
    balance_after: number;
    note: string | null;
    seal: {
      number: number;
      first: number;
      last: number;
      sealed_at: string;
      key: string;
      hash: string;
    } | null;
  }[];
  /** The URL that this message named for its callbacks, without its query. */
  callback: {
    format: 'twilio' | 'textbelt';
    url: string;
  } | null;
  /**
   * The webhooks and callbacks about it, oldest first, with the last 100 attempts of each and
   * the beginning of each answer.
   */
  webhooks: {
    id: string;
    type:
      | 'message.received'
      | 'message.scheduled'
      | 'message.sent'
      | 'message.rerouted'
      | 'message.delivered'
      | 'message.undelivered'
      | 'message.failed'
      | 'message.canceled'
      | 'message.media_ready'
      | 'otp.sent'
      | 'otp.verified'
      | 'otp.failed'
      | 'otp.expired'
      | 'otp.blocked'
      | 'credits.low'
      | 'credits.daily_spend'
      | 'number.active'
      | 'number.past_due'
      | 'number.released'
      | 'number.filtered';
    callback: {
      format: 'twilio' | 'textbelt';
      url: string;
    } | null;
    status: 'pending' | 'paused' | 'delivered' | 'failed';
    created_at: string;
    finished_at: string | null;
    body: string;
    attempts: number;
    attempt_list: {
      at: string;
      duration_ms: number;
      status: number | null;
      answer: string;
      error: string | null;
    }[];
  }[];
  /** Parts that are no longer kept, and why. */
  removed: {
    part: 'text' | 'media' | 'number' | 'carrier_id' | 'webhooks';
    why: string;
  }[];
  /** Present if the key was a test key: this is an example. */
  test?: true;
}

export interface MessagesAnswer {
  /** Your messages, newest first. */
  messages: Message[];
  /** Send it as `cursor` to get the next page; `null` on the last page. */
  next_cursor: string | null;
  /** Present if the key was a test key: this is an example. */
  test?: true;
}
