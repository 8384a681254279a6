// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.List;
import java.util.Map;

public final class MessageMediaReadyData extends Value {
    MessageMediaReadyData(Map<String, Object> fields) {
        super(fields);
    }

    public String messageId() {
        return get("message_id", String.class);
    }

    public String sender() {
        return get("sender", String.class);
    }

    public List<ReadyFile> media() {
        return objects("media", ReadyFile::new);
    }
}
