// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Calls of {@link Pennytext}. */
public final class MediaCalls {
    final MediaAsyncCalls async;

    MediaCalls(MediaAsyncCalls async) {
        this.async = async;
    }

    /**
     * Upload a file.
     *
     * <p>Stores a picture or another file for messages, for 30 days: {@code multipart/form-data} with a part
     * {@code file} and the key as {@code Authorization: Bearer}, or its {@code url}, which is fetched.
     */
    public UploadedMedia upload(MediaUploadRequest request) {
        return Call.await(async.upload(request));
    }
}
