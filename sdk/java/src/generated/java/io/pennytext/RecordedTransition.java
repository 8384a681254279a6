// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class RecordedTransition extends Value {
    RecordedTransition(Map<String, Object> fields) {
        super(fields);
    }

    /**
     * Values: {@code scheduled}, {@code queued}, {@code sending}, {@code sent}, {@code delivered},
     * {@code undelivered}, {@code failed}, {@code canceled}.
     */
    public String status() {
        return get("status", String.class);
    }

    public OffsetDateTime at() {
        return time("at");
    }

    public String cause() {
        return get("cause", String.class);
    }
}
