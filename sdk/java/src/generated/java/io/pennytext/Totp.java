// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.Map;

public final class Totp extends Value {
    Totp(Map<String, Object> fields) {
        super(fields);
    }

    /** Id of the authenticator: {@code TP} and 32 hex digits. */
    public String totpId() {
        return get("totp_id", String.class);
    }

    /** Names the person’s account in the app, such as an email address. */
    public String label() {
        return get("label", String.class);
    }

    /** Names you in the app; {@code null} if you left it out. May be null. */
    public String issuer() {
        return get("issuer", String.class);
    }

    /** When it was created, in UTC. */
    public OffsetDateTime createdAt() {
        return time("created_at");
    }

    /**
     * When a code of the app was accepted first; {@code null} until then: the person may not have set it up. May
     * be null.
     */
    public OffsetDateTime verifiedAt() {
        return time("verified_at");
    }

    /** When a code was accepted last, of the app or for recovery. May be null. */
    public OffsetDateTime lastUsedAt() {
        return time("last_used_at");
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

    /** Present if the key was a test key: this is an example. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
