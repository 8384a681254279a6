// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class PoolNumber extends Value {
    PoolNumber(Map<String, Object> fields) {
        super(fields);
    }

    public String numberId() {
        return get("number_id", String.class);
    }

    public String number() {
        return get("number", String.class);
    }

    /** Values: {@code reserving}, {@code active}, {@code past_due}, {@code releasing}, {@code released}. */
    public String status() {
        return get("status", String.class);
    }

    public Boolean active() {
        return get("active", Boolean.class);
    }

    /** May be null. */
    public OffsetDateTime filteredAt() {
        return time("filtered_at");
    }
}
