// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.List;
import java.util.Map;

public final class MessageReceivedData extends Value {
    MessageReceivedData(Map<String, Object> fields) {
        super(fields);
    }

    public String messageId() {
        return get("MessageId", String.class);
    }

    public String sender() {
        return get("Sender", String.class);
    }

    public String message() {
        return get("Message", String.class);
    }

    /** Values: {@code Received}. */
    public String status() {
        return get("Status", String.class);
    }

    public String dateTime() {
        return get("DateTime", String.class);
    }

    /** May be null. */
    public String recipient() {
        return get("Recipient", String.class);
    }

    public List<ReceivedFile> media() {
        return objects("Media", ReceivedFile::new);
    }
}
