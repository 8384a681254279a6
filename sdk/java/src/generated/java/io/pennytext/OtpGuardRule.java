// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class OtpGuardRule extends Value {
    OtpGuardRule(Map<String, Object> fields) {
        super(fields);
    }

    public String rule() {
        return get("rule", String.class);
    }

    /** Values: {@code recipient}, {@code ip}, {@code device}, {@code block}, {@code call}, {@code caller}. */
    public String counts() {
        return get("counts", String.class);
    }

    public Long sendsMax() {
        return get("sends_max", Long.class);
    }

    public Long windowSeconds() {
        return get("window_seconds", Long.class);
    }

    /** May be null. */
    public Long verifiedPercentMin() {
        return get("verified_percent_min", Long.class);
    }
}
