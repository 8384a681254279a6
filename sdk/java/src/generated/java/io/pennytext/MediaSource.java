// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** A part of requests. */
public final class MediaSource extends Request {
    public MediaSource url(String url) {
        set("url", url);
        return this;
    }

    public MediaSource mediaId(String mediaId) {
        set("media_id", mediaId);
        return this;
    }
}
