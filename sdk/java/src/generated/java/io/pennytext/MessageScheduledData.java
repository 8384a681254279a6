// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class MessageScheduledData extends Value {
    MessageScheduledData(Map<String, Object> fields) {
        super(fields);
    }

    public String messageId() {
        return get("message_id", String.class);
    }

    public String to() {
        return get("to", String.class);
    }

    public Long segments() {
        return get("segments", Long.class);
    }

    public Long credits() {
        return get("credits", Long.class);
    }

    public Long refunded() {
        return get("refunded", Long.class);
    }

    /** May be null. */
    public String reference() {
        return get("reference", String.class);
    }

    /** May be null. */
    public String errorCode() {
        return get("error_code", String.class);
    }

    /** May be null. */
    public Long carrierError() {
        return get("carrier_error", Long.class);
    }

    /**
     * Values: {@code scheduled}, {@code queued}, {@code sending}, {@code sent}, {@code delivered},
     * {@code undelivered}, {@code failed}, {@code canceled}.
     */
    public String status() {
        return get("status", String.class);
    }

    public OffsetDateTime sendAt() {
        return time("send_at");
    }
}
