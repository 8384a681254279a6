// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class OtpBlockedData extends Value {
    OtpBlockedData(Map<String, Object> fields) {
        super(fields);
    }

    public String otpId() {
        return get("otp_id", String.class);
    }

    public String to() {
        return get("to", String.class);
    }

    public String rule() {
        return get("rule", String.class);
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

    /** May be null. */
    public String reference() {
        return get("reference", String.class);
    }

    public OffsetDateTime blockedAt() {
        return time("blocked_at");
    }
}
