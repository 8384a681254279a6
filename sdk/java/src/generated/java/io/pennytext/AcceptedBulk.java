// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.List;
import java.util.Map;

public final class AcceptedBulk extends Value {
    AcceptedBulk(Map<String, Object> fields) {
        super(fields);
    }

    /** Id of the batch: {@code BA} and 32 hex digits. */
    public String batchId() {
        return get("batch_id", String.class);
    }

    /** Number of messages that were accepted. */
    public Long accepted() {
        return get("accepted", Long.class);
    }

    /**
     * Items that were not accepted: {@code index} counts from 0, {@code code} and {@code detail} say why.
     * {@code duplicate}: an earlier item has the same number and text, which is sent once.
     */
    public List<RejectedMessage> rejected() {
        return objects("rejected", RejectedMessage::new);
    }

    /** Price of all accepted messages in credits. A test key is not charged. */
    public Long credits() {
        return get("credits", Long.class);
    }

    /** Credits left. */
    public Long balance() {
        return get("balance", Long.class);
    }

    /** Present if the key was a test key: nothing was sent or charged. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
