// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class PoolDeleted extends Value {
    PoolDeleted(Map<String, Object> fields) {
        super(fields);
    }

    /** Id of the pool: {@code pool_} and 32 hex digits. */
    public String poolId() {
        return get("pool_id", String.class);
    }

    /** Its numbers stay yours. */
    public Boolean deleted() {
        return get("deleted", Boolean.class);
    }

    /** Present if the key was a test key: this is an example. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
