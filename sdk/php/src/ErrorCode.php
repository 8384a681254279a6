<?php

// Generated from the contract by `npm run -s docs:sdk`.

declare(strict_types=1);

namespace Pennytext;

/** Codes of PennytextException. */
final class ErrorCode
{
    public const UNREACHABLE = 'unreachable';
    public const CONNECTION_FAILED = 'connection_failed';
    public const TIMED_OUT = 'timed_out';
    public const INVALID_ANSWER = 'invalid_answer';
    public const INVALID_WEBHOOK = 'invalid_webhook';
    public const ACCOUNT_BLOCKED = 'account_blocked';
    public const ADDRESS_BLOCKED = 'address_blocked';
    public const BATCH_NOT_FOUND = 'batch_not_found';
    public const BULK_REJECTED = 'bulk_rejected';
    public const CHANNEL_DISABLED = 'channel_disabled';
    public const CHANNEL_UNSUPPORTED = 'channel_unsupported';
    public const CODE_INVALID = 'code_invalid';
    public const COUNTRY_DISABLED = 'country_disabled';
    public const DAILY_LIMIT = 'daily_limit';
    public const DELIVERY_SUSPENDED = 'delivery_suspended';
    public const ENCODING_UNSUPPORTED = 'encoding_unsupported';
    public const FROM_INACTIVE = 'from_inactive';
    public const FROM_UNKNOWN = 'from_unknown';
    public const IDEMPOTENCY_CONFLICT = 'idempotency_conflict';
    public const IDEMPOTENCY_IN_PROGRESS = 'idempotency_in_progress';
    public const INSUFFICIENT_CREDITS = 'insufficient_credits';
    public const INTERNAL = 'internal';
    public const INVALID_LIMIT = 'invalid_limit';
    public const INVALID_NUMBER = 'invalid_number';
    public const INVALID_REQUEST = 'invalid_request';
    public const INVALID_SEND_AT = 'invalid_send_at';
    public const INVALID_VALIDITY = 'invalid_validity';
    public const KEY_ADDRESS = 'key_address';
    public const KEY_BUDGET = 'key_budget';
    public const KEY_COUNTRY = 'key_country';
    public const KEY_EXPIRED = 'key_expired';
    public const KEY_SCOPE = 'key_scope';
    public const MEDIA_EXPIRED = 'media_expired';
    public const MEDIA_FAILED = 'media_failed';
    public const MEDIA_LIMIT = 'media_limit';
    public const MEDIA_NOT_FOUND = 'media_not_found';
    public const MEDIA_PENDING = 'media_pending';
    public const MEDIA_TOO_LARGE = 'media_too_large';
    public const MEDIA_TYPE = 'media_type';
    public const MEDIA_UNKNOWN = 'media_unknown';
    public const MEDIA_UNREACHABLE = 'media_unreachable';
    public const MEDIA_UNSUPPORTED = 'media_unsupported';
    public const MESSAGE_NOT_FOUND = 'message_not_found';
    public const MESSAGE_TOO_LONG = 'message_too_long';
    public const MISSING_FIELDS = 'missing_fields';
    public const NO_CREDITS = 'no_credits';
    public const NOT_CANCELABLE = 'not_cancelable';
    public const NUMBER_DAY_LIMIT = 'number_day_limit';
    public const NUMBER_LIMIT = 'number_limit';
    public const NUMBER_NEEDS_PURCHASE = 'number_needs_purchase';
    public const NUMBER_NOT_CHANGEABLE = 'number_not_changeable';
    public const NUMBER_NOT_FOUND = 'number_not_found';
    public const NUMBER_NOT_VERIFIED = 'number_not_verified';
    public const NUMBER_RELEASE_BLOCKED = 'number_release_blocked';
    public const NUMBER_TAKEN = 'number_taken';
    public const NUMBER_TYPE_UNSUPPORTED = 'number_type_unsupported';
    public const NUMBER_UNSUPPORTED = 'number_unsupported';
    public const OTP_NOT_FOUND = 'otp_not_found';
    public const OTP_NOT_RESENDABLE = 'otp_not_resendable';
    public const OTP_RESEND_TOO_EARLY = 'otp_resend_too_early';
    public const OTP_SUSPICIOUS = 'otp_suspicious';
    public const POOL_INVALID = 'pool_invalid';
    public const POOL_LIMIT = 'pool_limit';
    public const POOL_NOT_FOUND = 'pool_not_found';
    public const PRICE_ABOVE_MAX = 'price_above_max';
    public const QUOTE_EXPIRED = 'quote_expired';
    public const QUOTE_INVALID = 'quote_invalid';
    public const RATE_LIMITED = 'rate_limited';
    public const RECIPIENT_OPTED_OUT = 'recipient_opted_out';
    public const REGION_INACTIVE = 'region_inactive';
    public const REGION_UNSUPPORTED = 'region_unsupported';
    public const TOO_MANY_STREAMS = 'too_many_streams';
    public const TOTP_LIMIT = 'totp_limit';
    public const TOTP_NOT_FOUND = 'totp_not_found';
    public const UNAVAILABLE = 'unavailable';
    public const UNKNOWN_API_KEY = 'unknown_api_key';
    public const URL_NOT_ACTIVATED = 'url_not_activated';
    public const URL_SHORTENER = 'url_shortener';
    public const WEBHOOK_ACTIONS = 'webhook_actions';
    public const WEBHOOK_OFF = 'webhook_off';
}
