// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class RecordedCallback extends Value {
    RecordedCallback(Map<String, Object> fields) {
        super(fields);
    }

    /** Values: {@code twilio}, {@code textbelt}. */
    public String format() {
        return get("format", String.class);
    }

    public String url() {
        return get("url", String.class);
    }
}
