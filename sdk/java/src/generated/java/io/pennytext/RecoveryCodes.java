// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.List;
import java.util.Map;

public final class RecoveryCodes extends Value {
    RecoveryCodes(Map<String, Object> fields) {
        super(fields);
    }

    /** Id of the authenticator: {@code TP} and 32 hex digits. */
    public String totpId() {
        return get("totp_id", String.class);
    }

    /** The codes. They are not shown again. */
    public List<String> recoveryCodes() {
        return list("recovery_codes", String.class);
    }

    /** Present if the key was a test key: these are the codes of all test keys. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
