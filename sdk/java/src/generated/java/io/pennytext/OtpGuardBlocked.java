// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class OtpGuardBlocked extends Value {
    OtpGuardBlocked(Map<String, Object> fields) {
        super(fields);
    }

    public String otpId() {
        return get("otp_id", String.class);
    }

    public String rule() {
        return get("rule", String.class);
    }

    public String to() {
        return get("to", String.class);
    }

    public String country() {
        return get("country", String.class);
    }

    public String block() {
        return get("block", String.class);
    }

    public Long sent() {
        return get("sent", Long.class);
    }

    /** May be null. */
    public Long verified() {
        return get("verified", Long.class);
    }

    public Long refused() {
        return get("refused", Long.class);
    }

    public Boolean open() {
        return get("open", Boolean.class);
    }

    public OffsetDateTime firstAt() {
        return time("first_at");
    }

    public OffsetDateTime lastAt() {
        return time("last_at");
    }
}
