// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.concurrent.CompletableFuture;

/** Calls with futures, whose cancellation ends the call. */
public final class MediaAsyncCalls {
    final Transport transport;

    MediaAsyncCalls(Transport transport) {
        this.transport = transport;
    }

    /** {@link MediaCalls#upload}, as a future. */
    public CompletableFuture<UploadedMedia> upload(MediaUploadRequest request) {
        return transport.call("POST", "/api/media", request,
            Call.Repeat.KEYED, UploadedMedia::new);
    }
}
