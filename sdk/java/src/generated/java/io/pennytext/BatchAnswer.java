// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class BatchAnswer extends Value {
    BatchAnswer(Map<String, Object> fields) {
        super(fields);
    }

    /** Id of the batch: {@code BA} and 32 hex digits. */
    public String batchId() {
        return get("batch_id", String.class);
    }

    /** When the batch was accepted, in UTC. */
    public OffsetDateTime createdAt() {
        return time("created_at");
    }

    /** Number of messages. */
    public Long messages() {
        return get("messages", Long.class);
    }

    /** Number of messages by status. */
    public Map<String, Long> statuses() {
        return map("statuses", Long.class);
    }

    /** Price of all messages in credits. */
    public Long credits() {
        return get("credits", Long.class);
    }

    /** Credits that were refunded so far. */
    public Long refunded() {
        return get("refunded", Long.class);
    }

    /** Present if the key was a test key: this is an example. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
