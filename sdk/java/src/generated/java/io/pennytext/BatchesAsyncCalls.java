// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.concurrent.CompletableFuture;

/** Calls with futures, whose cancellation ends the call. */
public final class BatchesAsyncCalls {
    final Transport transport;

    BatchesAsyncCalls(Transport transport) {
        this.transport = transport;
    }

    /** {@link BatchesCalls#list}, as a future. */
    public CompletableFuture<Page<Batch>> list() {
        return transport.list("/api/batches", null,
            "batches", Batch::new);
    }

    /** {@link BatchesCalls#get}, as a future. */
    public CompletableFuture<BatchAnswer> get(String batchId) {
        return transport.call("GET", "/api/batches/" + Transport.segment(batchId), null,
            Call.Repeat.FREE, BatchAnswer::new);
    }

    /** {@link BatchesCalls#cancel}, as a future. */
    public CompletableFuture<BatchCanceled> cancel(String batchId) {
        return transport.call("POST", "/api/batches/" + Transport.segment(batchId) + "/cancel", null,
            Call.Repeat.FREE, BatchCanceled::new);
    }

    /** {@link BatchesCalls#messages}, as a future. */
    public CompletableFuture<Page<Message>> messages(String batchId) {
        return transport.list("/api/batches/" + Transport.segment(batchId) + "/messages", null,
            "messages", Message::new);
    }
}
