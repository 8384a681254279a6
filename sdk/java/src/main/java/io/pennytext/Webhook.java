package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

/** A genuine webhook. Its id is the same on every attempt: store it to process each event once. */
public final class Webhook extends Value {
    Webhook(Map<String, Object> fields) {
        super(fields);
    }

    public String id() {
        return get("id", String.class);
    }

    /** Returns a type such as {@code message.delivered}, or one that is newer than this version. */
    public String type() {
        return get("type", String.class);
    }

    /** Whether the event is of this type. */
    public boolean is(String type) {
        return type.equals(type());
    }

    /** Returns when it happened, or null for {@code message.received}. */
    public OffsetDateTime timestamp() {
        return time("timestamp");
    }

    /** Returns the data as the class of the type, such as {@link MessageDeliveredData}; null without data. */
    public Value data() {
        return object("data", Events.TYPES.getOrDefault(type(), Value::new));
    }

    /** Returns the data as its class. Throws ClassCastException for an event of another type. */
    public <T extends Value> T data(Class<T> type) {
        return type.cast(data());
    }
}
