// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class FailureReason extends Value {
    FailureReason(Map<String, Object> fields) {
        super(fields);
    }

    public String code() {
        return get("code", String.class);
    }

    public String text() {
        return get("text", String.class);
    }

    public Boolean permanent() {
        return get("permanent", Boolean.class);
    }
}
