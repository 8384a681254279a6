// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class RecordedRefund extends Value {
    RecordedRefund(Map<String, Object> fields) {
        super(fields);
    }

    public Long credits() {
        return get("credits", Long.class);
    }

    public OffsetDateTime at() {
        return time("at");
    }
}
