// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class OtpMessage extends Value {
    OtpMessage(Map<String, Object> fields) {
        super(fields);
    }

    public String messageId() {
        return get("message_id", String.class);
    }

    /**
     * Values: {@code scheduled}, {@code queued}, {@code sending}, {@code sent}, {@code delivered},
     * {@code undelivered}, {@code failed}, {@code canceled}. May be null.
     */
    public String status() {
        return get("status", String.class);
    }

    /** May be null. */
    public FailureReason reason() {
        return object("reason", FailureReason::new);
    }

    public OffsetDateTime createdAt() {
        return time("created_at");
    }

    /** May be null. */
    public OffsetDateTime sentAt() {
        return time("sent_at");
    }

    /** May be null. */
    public OffsetDateTime finishedAt() {
        return time("finished_at");
    }
}
