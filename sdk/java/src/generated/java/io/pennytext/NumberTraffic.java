// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

public final class NumberTraffic extends Value {
    NumberTraffic(Map<String, Object> fields) {
        super(fields);
    }

    /** The oldest message that was looked at. May be null. */
    public OffsetDateTime since() {
        return time("since");
    }

    /** Messages from the number. */
    public Long sent() {
        return get("sent", Long.class);
    }

    /** Messages that were delivered. */
    public Long delivered() {
        return get("delivered", Long.class);
    }

    /** Messages that were not delivered. */
    public Long failed() {
        return get("failed", Long.class);
    }

    /** Messages that wait or are scheduled: they fail and are refunded when it is released. */
    public Long waiting() {
        return get("waiting", Long.class);
    }

    /** Messages to the number. */
    public Long replies() {
        return get("replies", Long.class);
    }

    /** People that it talked to. */
    public Long people() {
        return get("people", Long.class);
    }

    /** Why messages were not delivered, the most frequent reason first. */
    public List<NumberTrafficReason> reasons() {
        return objects("reasons", NumberTrafficReason::new);
    }
}
