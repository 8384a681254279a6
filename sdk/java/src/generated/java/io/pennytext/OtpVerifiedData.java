// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

public final class OtpVerifiedData extends Value {
    OtpVerifiedData(Map<String, Object> fields) {
        super(fields);
    }

    public String otpId() {
        return get("otp_id", String.class);
    }

    public String messageId() {
        return get("message_id", String.class);
    }

    public String to() {
        return get("to", String.class);
    }

    /** May be null. */
    public String reference() {
        return get("reference", String.class);
    }

    public OffsetDateTime verifiedAt() {
        return time("verified_at");
    }

    /** Values: {@code sms}, {@code whatsapp}, {@code voice}, {@code email}. May be null. */
    public String channel() {
        return get("channel", String.class);
    }

    /** May be null. */
    public Long enteredStep() {
        return get("entered_step", Long.class);
    }

    public List<OtpStep> steps() {
        return objects("steps", OtpStep::new);
    }
}
