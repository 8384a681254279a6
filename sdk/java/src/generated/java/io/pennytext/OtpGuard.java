// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

public final class OtpGuard extends Value {
    OtpGuard(Map<String, Object> fields) {
        super(fields);
    }

    /** Whether codes to some numbers are refused because too few were verified. */
    public Boolean suspicious() {
        return get("suspicious", Boolean.class);
    }

    /** The rules: at most {@code sends_max} messages by what a rule counts within its window. */
    public List<OtpGuardRule> rules() {
        return objects("rules", OtpGuardRule::new);
    }

    /** Rules that refused codes within the last hour, latest first; {@code open}: still refused. */
    public List<OtpGuardBlocked> blocked() {
        return objects("blocked", OtpGuardBlocked::new);
    }

    /** When the guard was last reset. May be null. */
    public OffsetDateTime resetAt() {
        return time("reset_at");
    }

    /** When the guard can be reset again; {@code null} if it can be now. May be null. */
    public OffsetDateTime nextResetAt() {
        return time("next_reset_at");
    }

    /** Present if the key was a test key: this is an example. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
