// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class OptOut extends Value {
    OptOut(Map<String, Object> fields) {
        super(fields);
    }

    public String number() {
        return get("number", String.class);
    }

    /** May be null. */
    public String sender() {
        return get("sender", String.class);
    }

    /** Values: {@code opted_out}, {@code opted_in}. */
    public String status() {
        return get("status", String.class);
    }

    public OffsetDateTime optedOutAt() {
        return time("opted_out_at");
    }

    /** May be null. */
    public OffsetDateTime optedInAt() {
        return time("opted_in_at");
    }

    /** Values: {@code reply}, {@code carrier}. */
    public String source() {
        return get("source", String.class);
    }

    /** May be null. */
    public String word() {
        return get("word", String.class);
    }
}
