// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class TriggeredEvent extends Value {
    TriggeredEvent(Map<String, Object> fields) {
        super(fields);
    }

    /** The {@code webhook-id} of the event. */
    public String eventId() {
        return get("event_id", String.class);
    }

    /** Present for a test key, which creates nothing. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
