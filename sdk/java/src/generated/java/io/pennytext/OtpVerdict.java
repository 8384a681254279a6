// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class OtpVerdict extends Value {
    OtpVerdict(Map<String, Object> fields) {
        super(fields);
    }

    /**
     * Result of the verification. Values: {@code verified}, {@code not_found}, {@code expired},
     * {@code already_used}.
     */
    public String status() {
        return get("status", String.class);
    }

    /** The recipient whose code was verified. Compare it with the person that you expect. May be null. */
    public String to() {
        return get("to", String.class);
    }

    /** The code that was verified. May be null. */
    public String otpId() {
        return get("otp_id", String.class);
    }

    /** When the code expires or has expired, in UTC. Absent if the code is unknown. May be null. */
    public OffsetDateTime expiresAt() {
        return time("expires_at");
    }

    /**
     * Wrong tries left before the code becomes invalid. Present if {@code to} or {@code otp_id} was sent and
     * names a live code. May be null.
     */
    public Long attemptsLeft() {
        return get("attempts_left", Long.class);
    }
}
