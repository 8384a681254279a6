// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class TotpVerdict extends Value {
    TotpVerdict(Map<String, Object> fields) {
        super(fields);
    }

    /** Id of the authenticator: {@code TP} and 32 hex digits. */
    public String totpId() {
        return get("totp_id", String.class);
    }

    /**
     * {@code verified}: the code is right, and counts once. {@code wrong}: it is not, or is no code.
     * {@code used}: it, or a later one, was accepted before. {@code locked}: 10 codes were wrong, so none is
     * looked at, right or wrong, until {@code locked_until}. Values: {@code verified}, {@code wrong},
     * {@code used}, {@code locked}.
     */
    public String status() {
        return get("status", String.class);
    }

    /**
     * The kind of code that was verified, or used before: {@code app} or {@code recovery_code}. {@code null} for
     * other results. Values: {@code app}, {@code recovery_code}. May be null.
     */
    public String method() {
        return get("method", String.class);
    }

    /** Wrong codes left until the authenticator is locked; 0 while it is. An accepted code gives all back. */
    public Long attemptsLeft() {
        return get("attempts_left", Long.class);
    }

    /** When the lock ends, in UTC; {@code null} unless it is locked now. May be null. */
    public OffsetDateTime lockedUntil() {
        return time("locked_until");
    }

    /** Recovery codes that were not used. */
    public Long recoveryCodesLeft() {
        return get("recovery_codes_left", Long.class);
    }

    /** Present if the key was a test key: nothing was counted or stored. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
