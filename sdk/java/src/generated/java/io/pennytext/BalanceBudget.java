// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class BalanceBudget extends Value {
    BalanceBudget(Map<String, Object> fields) {
        super(fields);
    }

    /** May be null. */
    public Long creditsPerDay() {
        return get("credits_per_day", Long.class);
    }

    /** May be null. */
    public Long creditsPerMonth() {
        return get("credits_per_month", Long.class);
    }

    public Long spentToday() {
        return get("spent_today", Long.class);
    }

    public Long spentThisMonth() {
        return get("spent_this_month", Long.class);
    }
}
