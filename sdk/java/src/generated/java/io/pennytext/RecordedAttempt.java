// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class RecordedAttempt extends Value {
    RecordedAttempt(Map<String, Object> fields) {
        super(fields);
    }

    public Long n() {
        return get("n", Long.class);
    }

    public String route() {
        return get("route", String.class);
    }

    public String sender() {
        return get("sender", String.class);
    }

    /** May be null. */
    public OffsetDateTime handedAt() {
        return time("handed_at");
    }

    /** Values: {@code accepted}, {@code not_taken}, {@code doubtful}. May be null. */
    public String outcome() {
        return get("outcome", String.class);
    }

    /**
     * Values: {@code first}, {@code not_taken}, {@code route_failed}, {@code doubtful}, {@code slow},
     * {@code route_paused}.
     */
    public String reason() {
        return get("reason", String.class);
    }

    /** Values: {@code delivered}, {@code undelivered}, {@code failed}. May be null. */
    public String receipt() {
        return get("receipt", String.class);
    }
}
