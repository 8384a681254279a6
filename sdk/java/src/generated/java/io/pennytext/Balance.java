// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;

public final class Balance extends Value {
    Balance(Map<String, Object> fields) {
        super(fields);
    }

    /** Credits left: {@code purchased} minus {@code used}. */
    public Long balance() {
        return get("balance", Long.class);
    }

    /** All credits that were added. */
    public Long purchased() {
        return get("purchased", Long.class);
    }

    /** Credits spent minus refunds. */
    public Long used() {
        return get("used", Long.class);
    }

    /**
     * Present if a part of the balance cannot be spent: its payment is disputed, or a number is being bought.
     * May be null.
     */
    public Long frozen() {
        return get("frozen", Long.class);
    }

    /**
     * Present if your key has a budget: the credits it may spend in a day and in a month (New York),
     * {@code null} without a limit, and what it has spent. May be null.
     */
    public BalanceBudget budget() {
        return object("budget", BalanceBudget::new);
    }

    /** Present if the key was a test key: this is an example. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
