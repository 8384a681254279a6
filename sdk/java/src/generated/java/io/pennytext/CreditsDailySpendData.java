// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class CreditsDailySpendData extends Value {
    CreditsDailySpendData(Map<String, Object> fields) {
        super(fields);
    }

    public String day() {
        return get("day", String.class);
    }

    public Long spent() {
        return get("spent", Long.class);
    }

    public Long threshold() {
        return get("threshold", Long.class);
    }
}
