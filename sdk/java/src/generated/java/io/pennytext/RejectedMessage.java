// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class RejectedMessage extends Value {
    RejectedMessage(Map<String, Object> fields) {
        super(fields);
    }

    public Long index() {
        return get("index", Long.class);
    }

    public String to() {
        return get("to", String.class);
    }

    public String code() {
        return get("code", String.class);
    }

    public String detail() {
        return get("detail", String.class);
    }
}
