// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.List;
import java.util.Map;

public final class OwnNumbers extends Value {
    OwnNumbers(Map<String, Object> fields) {
        super(fields);
    }

    /** Your numbers, newest first. */
    public List<OwnNumber> numbers() {
        return objects("numbers", OwnNumber::new);
    }

    /** How many numbers you may have at a time. */
    public Long numbersMax() {
        return get("numbers_max", Long.class);
    }

    /** Present if the key was a test key: this is an example. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
