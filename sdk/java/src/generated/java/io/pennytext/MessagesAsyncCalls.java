// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.concurrent.CompletableFuture;

/** Calls with futures, whose cancellation ends the call. */
public final class MessagesAsyncCalls {
    final Transport transport;

    MessagesAsyncCalls(Transport transport) {
        this.transport = transport;
    }

    /** {@link MessagesCalls#list}, as a future. */
    public CompletableFuture<Page<Message>> list() {
        return list(new MessagesListRequest());
    }

    /** {@link MessagesCalls#list}, as a future. */
    public CompletableFuture<Page<Message>> list(MessagesListRequest request) {
        return transport.list("/api/messages", request,
            "messages", Message::new);
    }

    /** {@link MessagesCalls#get}, as a future. */
    public CompletableFuture<MessageAnswer> get(String messageId) {
        return transport.call("GET", "/api/messages/" + Transport.segment(messageId), null,
            Call.Repeat.FREE, MessageAnswer::new);
    }

    /** {@link MessagesCalls#record}, as a future. */
    public CompletableFuture<MessageRecord> record(String messageId) {
        return transport.call("GET", "/api/messages/" + Transport.segment(messageId) + "/record", null,
            Call.Repeat.FREE, MessageRecord::new);
    }

    /** {@link MessagesCalls#cancel}, as a future. */
    public CompletableFuture<MessageAnswer> cancel(String messageId) {
        return transport.call("POST", "/api/messages/" + Transport.segment(messageId) + "/cancel", null,
            Call.Repeat.FREE, MessageAnswer::new);
    }
}
