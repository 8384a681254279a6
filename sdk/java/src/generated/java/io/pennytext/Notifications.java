// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.List;
import java.util.Map;

public final class Notifications extends Value {
    Notifications(Map<String, Object> fields) {
        super(fields);
    }

    /**
     * Each with its {@code code}; {@code severity}: {@code critical} when something does not work now, else
     * {@code warning}; {@code since}, {@code null} where the beginning is not known; a {@code message}, the
     * {@code action} to take, the {@code url} of the dashboard where it is taken, and the {@code figures} of the
     * message, by code. {@code id} names the cause: the same code with another cause has another id. Later
     * versions may add codes.
     */
    public List<Notification> notifications() {
        return objects("notifications", Notification::new);
    }

    /** Present if the key was a test key: this is an example. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
