// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class CreditsLowData extends Value {
    CreditsLowData(Map<String, Object> fields) {
        super(fields);
    }

    public Long balance() {
        return get("balance", Long.class);
    }

    public Long threshold() {
        return get("threshold", Long.class);
    }
}
