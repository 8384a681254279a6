# frozen_string_literal: true

# Generated from the contract by `npm run -s docs:sdk`.

module Pennytext
  class Error
    # Codes of the API.
    CODES = %w[
      account_blocked address_blocked batch_not_found bulk_rejected channel_disabled channel_unsupported
      code_invalid country_disabled daily_limit delivery_suspended encoding_unsupported from_inactive
      from_unknown idempotency_conflict idempotency_in_progress insufficient_credits internal invalid_limit
      invalid_number invalid_request invalid_send_at invalid_validity key_address key_budget key_country
      key_expired key_scope media_expired media_failed media_limit media_not_found media_pending media_too_large
      media_type media_unknown media_unreachable media_unsupported message_not_found message_too_long
      missing_fields no_credits not_cancelable number_day_limit number_limit number_needs_purchase
      number_not_changeable number_not_found number_not_verified number_release_blocked number_taken
      number_type_unsupported number_unsupported otp_not_found otp_not_resendable otp_resend_too_early
      otp_suspicious pool_invalid pool_limit pool_not_found price_above_max quote_expired quote_invalid
      rate_limited recipient_opted_out region_inactive region_unsupported too_many_streams totp_limit
      totp_not_found unavailable unknown_api_key url_not_activated url_shortener webhook_actions webhook_off
    ].freeze
  end

  # Types of webhooks, and the classes of their data.
  EVENTS = {
    # A reply was received.
    "message.received" => MessageReceivedData,
    # A message that leaves later was accepted.
    "message.scheduled" => MessageScheduledData,
    # The carrier accepted a message.
    "message.sent" => MessageSentData,
    # A message was handed to another route.
    "message.rerouted" => MessageReroutedData,
    # A message was delivered.
    "message.delivered" => MessageDeliveredData,
    # The carrier could not deliver a message.
    "message.undelivered" => MessageUndeliveredData,
    # A message was not sent.
    "message.failed" => MessageFailedData,
    # You canceled a message.
    "message.canceled" => MessageCanceledData,
    # The files of a reply are settled that was forwarded before they were there.
    "message.media_ready" => MessageMediaReadyData,
    # The carrier accepted a one-time password.
    "otp.sent" => OtpSentData,
    # A one-time password was verified.
    "otp.verified" => OtpVerifiedData,
    # A one-time password ended after too many wrong attempts.
    "otp.failed" => OtpFailedData,
    # A one-time password expired.
    "otp.expired" => OtpExpiredData,
    # The fraud guard refused a one-time password.
    "otp.blocked" => OtpBlockedData,
    # The balance fell below your threshold.
    "credits.low" => CreditsLowData,
    # The credits used on a New York day reached your threshold.
    "credits.daily_spend" => CreditsDailySpendData,
    # A number was bought, or its rent was paid after it was due.
    "number.active" => NumberActiveData,
    # The balance does not cover the rent of a number.
    "number.past_due" => NumberPastDueData,
    # A number is not yours any more.
    "number.released" => NumberReleasedData,
    # Carriers filter the messages of a number, so its pools leave it out.
    "number.filtered" => NumberFilteredData,
  }.freeze
end
