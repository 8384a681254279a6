// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

public final class BulkQuote extends Value {
    BulkQuote(Map<String, Object> fields) {
        super(fields);
    }

    /** Send it as {@code quote} with the same content: it then costs at most {@code credits}. */
    public String quote() {
        return get("quote", String.class);
    }

    /** When the quote expires: after 10 minutes, in UTC. */
    public OffsetDateTime expiresAt() {
        return time("expires_at");
    }

    /** Segments of all messages. */
    public Long segments() {
        return get("segments", Long.class);
    }

    /** Price of all messages in credits. */
    public Long credits() {
        return get("credits", Long.class);
    }

    /** Credits left. An example for a test key. */
    public Long balance() {
        return get("balance", Long.class);
    }

    /** Credits left after sending; {@code null} if the balance does not cover the price. May be null. */
    public Long balanceAfter() {
        return get("balance_after", Long.class);
    }

    /** Number of messages that would be accepted. */
    public Long messages() {
        return get("messages", Long.class);
    }

    /**
     * Items that were not accepted: {@code index} counts from 0, {@code code} and {@code detail} say why.
     * {@code duplicate}: an earlier item has the same number and text, which is sent once.
     */
    public List<RejectedMessage> rejected() {
        return objects("rejected", RejectedMessage::new);
    }

    /** Present if the messages have files. Values: {@code mms}. May be null. */
    public String kind() {
        return get("kind", String.class);
    }

    /** Present if the key was a test key. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
