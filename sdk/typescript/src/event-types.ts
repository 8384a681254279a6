// Generated from the contract by `npm run -s docs:sdk`.

/** A reply was received. */
export interface MessageReceivedEvent {
  type: 'message.received';
  data: {
    MessageId: string;
    Sender: string;
    Message: string;
    Status: 'Received';
    DateTime: string;
    Recipient?: string;
    Media?: {
      Id: string;
      Url: string | null;
      Type: string | null;
      Bytes: number | null;
      Sha256: string | null;
      Status: 'pending' | 'stored' | 'failed' | 'expired';
    }[];
  };
}

/** A message that leaves later was accepted. */
export interface MessageScheduledEvent {
  type: 'message.scheduled';
  timestamp: string;
  data: {
    message_id: string;
    to: string;
    segments: number;
    credits: number;
    refunded: number;
    reference: string | null;
    error_code: string | null;
    carrier_error: number | null;
    status: 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'canceled';
    send_at: string;
  };
}

/** The carrier accepted a message. */
export interface MessageSentEvent {
  type: 'message.sent';
  timestamp: string;
  data: {
    message_id: string;
    to: string;
    segments: number;
    credits: number;
    refunded: number;
    reference: string | null;
    error_code: string | null;
    carrier_error: number | null;
    status: 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'canceled';
  };
}

/** A message was handed to another route. */
export interface MessageReroutedEvent {
  type: 'message.rerouted';
  timestamp: string;
  data: {
    message_id: string;
    to: string;
    segments: number;
    credits: number;
    refunded: number;
    reference: string | null;
    error_code: string | null;
    carrier_error: number | null;
    status: 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'canceled';
    delivery: 'once' | 'fast';
    attempt: number;
    reason: 'first' | 'not_taken' | 'route_failed' | 'doubtful' | 'slow' | 'route_paused';
  };
}

/** A message was delivered. */
export interface MessageDeliveredEvent {
  type: 'message.delivered';
  timestamp: string;
  data: {
    message_id: string;
    to: string;
    segments: number;
    credits: number;
    refunded: number;
    reference: string | null;
    error_code: string | null;
    carrier_error: number | null;
    status: 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'canceled';
  };
}

/** The carrier could not deliver a message. */
export interface MessageUndeliveredEvent {
  type: 'message.undelivered';
  timestamp: string;
  data: {
    message_id: string;
    to: string;
    segments: number;
    credits: number;
    refunded: number;
    reference: string | null;
    error_code: string | null;
    carrier_error: number | null;
    status: 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'canceled';
  };
}

/** A message was not sent. */
export interface MessageFailedEvent {
  type: 'message.failed';
  timestamp: string;
  data: {
    message_id: string;
    to: string;
    segments: number;
    credits: number;
    refunded: number;
    reference: string | null;
    error_code: string | null;
    carrier_error: number | null;
    status: 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'canceled';
  };
}

/** You canceled a message. */
export interface MessageCanceledEvent {
  type: 'message.canceled';
  timestamp: string;
  data: {
    message_id: string;
    to: string;
    segments: number;
    credits: number;
    refunded: number;
    reference: string | null;
    error_code: string | null;
    carrier_error: number | null;
    status: 'scheduled' | 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'canceled';
  };
}

/** The files of a reply are settled that was forwarded before they were there. */
export interface MessageMediaReadyEvent {
  type: 'message.media_ready';
  timestamp: string;
  data: {
    message_id: string;
    sender: string;
    media: {
      media_id: string;
      url: string | null;
      type: string | null;
      bytes: number | null;
      sha256: string | null;
      status: 'pending' | 'stored' | 'failed' | 'expired';
    }[];
  };
}

/** The carrier accepted a one-time password. */
export interface OtpSentEvent {
  type: 'otp.sent';
  timestamp: string;
  data: {
    otp_id: string;
    message_id: string;
    to: string;
    reference?: string | null;
    expires_at: string;
    channel?: 'sms' | 'whatsapp' | 'voice' | 'email';
    entered_step?: number | null;
    steps?: {
      n: number;
      channel: 'sms' | 'whatsapp' | 'voice' | 'email';
      to: string;
      started_at: string;
      outcome: 'started' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'refused';
      reason: string | null;
      credits: number;
    }[];
  };
}

/** A one-time password was verified. */
export interface OtpVerifiedEvent {
  type: 'otp.verified';
  timestamp: string;
  data: {
    otp_id: string;
    message_id: string;
    to: string;
    reference?: string | null;
    verified_at: string;
    channel?: 'sms' | 'whatsapp' | 'voice' | 'email';
    entered_step?: number | null;
    steps?: {
      n: number;
      channel: 'sms' | 'whatsapp' | 'voice' | 'email';
      to: string;
      started_at: string;
      outcome: 'started' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'refused';
      reason: string | null;
      credits: number;
    }[];
  };
}

/** A one-time password ended after too many wrong attempts. */
export interface OtpFailedEvent {
  type: 'otp.failed';
  timestamp: string;
  data: {
    otp_id: string;
    message_id: string;
    to: string;
    reference?: string | null;
    failed_at: string;
  };
}

/** A one-time password expired. */
export interface OtpExpiredEvent {
  type: 'otp.expired';
  timestamp: string;
  data: {
    otp_id: string;
    message_id: string;
    to: string;
    reference?: string | null;
    expired_at: string;
  };
}

/** The fraud guard refused a one-time password. */
export interface OtpBlockedEvent {
  type: 'otp.blocked';
  timestamp: string;
  data: {
    otp_id: string;
    to: string;
    rule: string;
    country: string;
    block: string;
    sent: number;
    verified: number | null;
    reference?: string | null;
    blocked_at: string;
  };
}

/** The balance fell below your threshold. */
export interface CreditsLowEvent {
  type: 'credits.low';
  timestamp: string;
  data: {
    balance: number;
    threshold: number;
  };
}

/** The credits used on a New York day reached your threshold. */
export interface CreditsDailySpendEvent {
  type: 'credits.daily_spend';
  timestamp: string;
  data: {
    day: string;
    spent: number;
    threshold: number;
  };
}

/** A number was bought, or its rent was paid after it was due. */
export interface NumberActiveEvent {
  type: 'number.active';
  timestamp: string;
  data: {
    number_id: string;
    number: string;
    label: string | null;
    status: 'reserving' | 'active' | 'past_due' | 'releasing' | 'released';
    credits_per_month: number | null;
    renews_at: string | null;
    releases_at: string | null;
  };
}

/** The balance does not cover the rent of a number. */
export interface NumberPastDueEvent {
  type: 'number.past_due';
  timestamp: string;
  data: {
    number_id: string;
    number: string;
    label: string | null;
    status: 'reserving' | 'active' | 'past_due' | 'releasing' | 'released';
    credits_per_month: number | null;
    renews_at: string | null;
    releases_at: string | null;
    day: 0 | 3 | 6;
  };
}

/** A number is not yours any more. */
export interface NumberReleasedEvent {
  type: 'number.released';
  timestamp: string;
  data: {
    number_id: string;
    number: string;
    label: string | null;
    status: 'reserving' | 'active' | 'past_due' | 'releasing' | 'released';
    credits_per_month: number | null;
    renews_at: string | null;
    releases_at: string | null;
    reason: 'owner' | 'not_renewed' | 'unpaid' | 'deleted';
  };
}

/** Carriers filter the messages of a number, so its pools leave it out. */
export interface NumberFilteredEvent {
  type: 'number.filtered';
  timestamp: string;
  data: {
    number_id: string;
    number: string;
    label: string | null;
    status: 'reserving' | 'active' | 'past_due' | 'releasing' | 'released';
    credits_per_month: number | null;
    renews_at: string | null;
    releases_at: string | null;
    messages: number;
    failed: number;
  };
}

/** An event of your account. */
export type AccountEvent =
  | MessageReceivedEvent
  | MessageScheduledEvent
  | MessageSentEvent
  | MessageReroutedEvent
  | MessageDeliveredEvent
  | MessageUndeliveredEvent
  | MessageFailedEvent
  | MessageCanceledEvent
  | MessageMediaReadyEvent
  | OtpSentEvent
  | OtpVerifiedEvent
  | OtpFailedEvent
  | OtpExpiredEvent
  | OtpBlockedEvent
  | CreditsLowEvent
  | CreditsDailySpendEvent
  | NumberActiveEvent
  | NumberPastDueEvent
  | NumberReleasedEvent
  | NumberFilteredEvent;
