// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class TotpDeleted extends Value {
    TotpDeleted(Map<String, Object> fields) {
        super(fields);
    }

    /** Id of the authenticator: {@code TP} and 32 hex digits. */
    public String totpId() {
        return get("totp_id", String.class);
    }

    /** Its codes and recovery codes are not accepted any more. */
    public Boolean deleted() {
        return get("deleted", Boolean.class);
    }

    /** Present if the key was a test key: this is an example. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
