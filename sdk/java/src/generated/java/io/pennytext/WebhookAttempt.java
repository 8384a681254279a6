// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class WebhookAttempt extends Value {
    WebhookAttempt(Map<String, Object> fields) {
        super(fields);
    }

    public OffsetDateTime at() {
        return time("at");
    }

    public Long durationMs() {
        return get("duration_ms", Long.class);
    }

    /** May be null. */
    public Long status() {
        return get("status", Long.class);
    }

    public String answer() {
        return get("answer", String.class);
    }

    /** May be null. */
    public String error() {
        return get("error", String.class);
    }
}
