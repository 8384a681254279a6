// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.List;
import java.util.Map;

public final class AvailableNumbers extends Value {
    AvailableNumbers(Map<String, Object> fields) {
        super(fields);
    }

    /** Numbers that you can buy now. */
    public List<AvailableNumber> numbers() {
        return objects("numbers", AvailableNumber::new);
    }

    /** Present if the key was a test key: this is an example. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
