// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;

/** Arguments of {@link OtpCalls#list}. */
public final class OtpListRequest extends Request {
    /**
     * Only codes in this state. Values: {@code pending}, {@code verified}, {@code expired}, {@code exhausted},
     * {@code blocked}, {@code unmanaged}.
     */
    public OtpListRequest status(String status) {
        set("status", status);
        return this;
    }

    /** Only codes that went by this channel. Values: {@code sms}, {@code whatsapp}, {@code voice}, {@code email}. */
    public OtpListRequest channel(String channel) {
        set("channel", channel);
        return this;
    }

    /** Only codes to this number, in any form. */
    public OtpListRequest to(String to) {
        set("to", to);
        return this;
    }

    /** Only codes to this country, as ISO 3166-1 alpha-2 code. */
    public OtpListRequest country(String country) {
        set("country", country);
        return this;
    }

    /** Only this code. */
    public OtpListRequest otpId(String otpId) {
        set("otp_id", otpId);
        return this;
    }

    /** Only codes with this reference. */
    public OtpListRequest reference(String reference) {
        set("reference", reference);
        return this;
    }

    /** Only codes sent with this named key; {@code account} for the account's own key. */
    public OtpListRequest keyId(String keyId) {
        set("key_id", keyId);
        return this;
    }

    /** Only codes sent at this time or later. */
    public OtpListRequest since(OffsetDateTime since) {
        set("since", since);
        return this;
    }

    /** Only codes sent before this time. */
    public OtpListRequest until(OffsetDateTime until) {
        set("until", until);
        return this;
    }
}
