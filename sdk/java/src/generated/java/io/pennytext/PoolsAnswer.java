// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.List;
import java.util.Map;

public final class PoolsAnswer extends Value {
    PoolsAnswer(Map<String, Object> fields) {
        super(fields);
    }

    /** Your pools, oldest first. */
    public List<Pool> pools() {
        return objects("pools", Pool::new);
    }

    /** Present if the key was a test key: this is an example. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
