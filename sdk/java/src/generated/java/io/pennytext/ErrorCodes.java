// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Codes of {@link PennytextException#code}. The API can have others, which are newer. */
public final class ErrorCodes {
    public static final String ACCOUNT_BLOCKED = "account_blocked";
    public static final String ADDRESS_BLOCKED = "address_blocked";
    public static final String BATCH_NOT_FOUND = "batch_not_found";
    public static final String BULK_REJECTED = "bulk_rejected";
    public static final String CHANNEL_DISABLED = "channel_disabled";
    public static final String CHANNEL_UNSUPPORTED = "channel_unsupported";
    public static final String CODE_INVALID = "code_invalid";
    public static final String COUNTRY_DISABLED = "country_disabled";
    public static final String DAILY_LIMIT = "daily_limit";
    public static final String DELIVERY_SUSPENDED = "delivery_suspended";
    public static final String ENCODING_UNSUPPORTED = "encoding_unsupported";
    public static final String FROM_INACTIVE = "from_inactive";
    public static final String FROM_UNKNOWN = "from_unknown";
    public static final String IDEMPOTENCY_CONFLICT = "idempotency_conflict";
    public static final String IDEMPOTENCY_IN_PROGRESS = "idempotency_in_progress";
    public static final String INSUFFICIENT_CREDITS = "insufficient_credits";
    public static final String INTERNAL = "internal";
    public static final String INVALID_LIMIT = "invalid_limit";
    public static final String INVALID_NUMBER = "invalid_number";
    public static final String INVALID_REQUEST = "invalid_request";
    public static final String INVALID_SEND_AT = "invalid_send_at";
    public static final String INVALID_VALIDITY = "invalid_validity";
    public static final String KEY_ADDRESS = "key_address";
    public static final String KEY_BUDGET = "key_budget";
    public static final String KEY_COUNTRY = "key_country";
    public static final String KEY_EXPIRED = "key_expired";
    public static final String KEY_SCOPE = "key_scope";
    public static final String MEDIA_EXPIRED = "media_expired";
    public static final String MEDIA_FAILED = "media_failed";
    public static final String MEDIA_LIMIT = "media_limit";
    public static final String MEDIA_NOT_FOUND = "media_not_found";
    public static final String MEDIA_PENDING = "media_pending";
    public static final String MEDIA_TOO_LARGE = "media_too_large";
    public static final String MEDIA_TYPE = "media_type";
    public static final String MEDIA_UNKNOWN = "media_unknown";
    public static final String MEDIA_UNREACHABLE = "media_unreachable";
    public static final String MEDIA_UNSUPPORTED = "media_unsupported";
    public static final String MESSAGE_NOT_FOUND = "message_not_found";
    public static final String MESSAGE_TOO_LONG = "message_too_long";
    public static final String MISSING_FIELDS = "missing_fields";
    public static final String NO_CREDITS = "no_credits";
    public static final String NOT_CANCELABLE = "not_cancelable";
    public static final String NUMBER_DAY_LIMIT = "number_day_limit";
    public static final String NUMBER_LIMIT = "number_limit";
    public static final String NUMBER_NEEDS_PURCHASE = "number_needs_purchase";
    public static final String NUMBER_NOT_CHANGEABLE = "number_not_changeable";
    public static final String NUMBER_NOT_FOUND = "number_not_found";
    public static final String NUMBER_NOT_VERIFIED = "number_not_verified";
    public static final String NUMBER_RELEASE_BLOCKED = "number_release_blocked";
    public static final String NUMBER_TAKEN = "number_taken";
    public static final String NUMBER_TYPE_UNSUPPORTED = "number_type_unsupported";
    public static final String NUMBER_UNSUPPORTED = "number_unsupported";
    public static final String OTP_NOT_FOUND = "otp_not_found";
    public static final String OTP_NOT_RESENDABLE = "otp_not_resendable";
    public static final String OTP_RESEND_TOO_EARLY = "otp_resend_too_early";
    public static final String OTP_SUSPICIOUS = "otp_suspicious";
    public static final String POOL_INVALID = "pool_invalid";
    public static final String POOL_LIMIT = "pool_limit";
    public static final String POOL_NOT_FOUND = "pool_not_found";
    public static final String PRICE_ABOVE_MAX = "price_above_max";
    public static final String QUOTE_EXPIRED = "quote_expired";
    public static final String QUOTE_INVALID = "quote_invalid";
    public static final String RATE_LIMITED = "rate_limited";
    public static final String RECIPIENT_OPTED_OUT = "recipient_opted_out";
    public static final String REGION_INACTIVE = "region_inactive";
    public static final String REGION_UNSUPPORTED = "region_unsupported";
    public static final String TOO_MANY_STREAMS = "too_many_streams";
    public static final String TOTP_LIMIT = "totp_limit";
    public static final String TOTP_NOT_FOUND = "totp_not_found";
    public static final String UNAVAILABLE = "unavailable";
    public static final String UNKNOWN_API_KEY = "unknown_api_key";
    public static final String URL_NOT_ACTIVATED = "url_not_activated";
    public static final String URL_SHORTENER = "url_shortener";
    public static final String WEBHOOK_ACTIONS = "webhook_actions";
    public static final String WEBHOOK_OFF = "webhook_off";

    private ErrorCodes() {
    }
}
