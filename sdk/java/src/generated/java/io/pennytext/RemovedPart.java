// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class RemovedPart extends Value {
    RemovedPart(Map<String, Object> fields) {
        super(fields);
    }

    /** Values: {@code text}, {@code media}, {@code number}, {@code carrier_id}, {@code webhooks}. */
    public String part() {
        return get("part", String.class);
    }

    public String why() {
        return get("why", String.class);
    }
}
