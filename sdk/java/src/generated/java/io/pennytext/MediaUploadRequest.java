// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Arguments of {@link MediaCalls#upload}. */
public final class MediaUploadRequest extends Request {
    /** Sets the bytes of the file. */
    public MediaUploadRequest file(byte[] file) {
        this.file = file;
        return this;
    }

    /** Where the file is. It is fetched before the answer. */
    public MediaUploadRequest url(String url) {
        set("url", url);
        return this;
    }

    /**
     * Sets your own key, which also recognizes a repetition by another process. Each call has a random key
     * without it.
     */
    public MediaUploadRequest idempotencyKey(String idempotencyKey) {
        this.idempotencyKey = idempotencyKey;
        return this;
    }
}
