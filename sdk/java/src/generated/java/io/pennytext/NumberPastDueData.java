// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class NumberPastDueData extends Value {
    NumberPastDueData(Map<String, Object> fields) {
        super(fields);
    }

    public String numberId() {
        return get("number_id", String.class);
    }

    public String number() {
        return get("number", String.class);
    }

    /** May be null. */
    public String label() {
        return get("label", String.class);
    }

    /** Values: {@code reserving}, {@code active}, {@code past_due}, {@code releasing}, {@code released}. */
    public String status() {
        return get("status", String.class);
    }

    /** May be null. */
    public Long creditsPerMonth() {
        return get("credits_per_month", Long.class);
    }

    /** May be null. */
    public OffsetDateTime renewsAt() {
        return time("renews_at");
    }

    /** May be null. */
    public OffsetDateTime releasesAt() {
        return time("releases_at");
    }

    public Long day() {
        return get("day", Long.class);
    }
}
