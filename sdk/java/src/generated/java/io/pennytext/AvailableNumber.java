// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.List;
import java.util.Map;

public final class AvailableNumber extends Value {
    AvailableNumber(Map<String, Object> fields) {
        super(fields);
    }

    /** The number in E.164 format. */
    public String number() {
        return get("number", String.class);
    }

    /** Where it is from; {@code null} for a toll-free number. May be null. */
    public String locality() {
        return get("locality", String.class);
    }

    /** Kinds of messages that the number takes and sends. */
    public List<String> capabilities() {
        return list("capabilities", String.class);
    }

    /** Its rent in credits. */
    public Long creditsPerMonth() {
        return get("credits_per_month", Long.class);
    }

    /** Credits that it costs once, besides. */
    public Long setupCredits() {
        return get("setup_credits", Long.class);
    }
}
