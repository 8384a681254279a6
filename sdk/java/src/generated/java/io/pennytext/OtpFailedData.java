// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class OtpFailedData extends Value {
    OtpFailedData(Map<String, Object> fields) {
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

    public OffsetDateTime failedAt() {
        return time("failed_at");
    }
}
