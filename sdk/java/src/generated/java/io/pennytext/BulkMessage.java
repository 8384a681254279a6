// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** A part of requests. */
public final class BulkMessage extends Request {
    public BulkMessage to(String to) {
        set("to", to);
        return this;
    }

    public BulkMessage message(String message) {
        set("message", message);
        return this;
    }

    public BulkMessage reference(String reference) {
        set("reference", reference);
        return this;
    }
}
