// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class OtpStep extends Value {
    OtpStep(Map<String, Object> fields) {
        super(fields);
    }

    public Long n() {
        return get("n", Long.class);
    }

    /** Values: {@code sms}, {@code whatsapp}, {@code voice}, {@code email}. */
    public String channel() {
        return get("channel", String.class);
    }

    public String to() {
        return get("to", String.class);
    }

    public OffsetDateTime startedAt() {
        return time("started_at");
    }

    /**
     * Values: {@code started}, {@code sent}, {@code delivered}, {@code undelivered}, {@code failed},
     * {@code refused}.
     */
    public String outcome() {
        return get("outcome", String.class);
    }

    /** May be null. */
    public String reason() {
        return get("reason", String.class);
    }

    public Long credits() {
        return get("credits", Long.class);
    }
}
