// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Arguments of {@link OtpCalls#conversion}. */
public final class OtpConversionRequest extends Request {
    /** First day, in New York; at most 92 days with the last one. Without it the last 30 days. */
    public OtpConversionRequest from(String from) {
        set("from", from);
        return this;
    }

    /** Last day, inclusive. Without it today. */
    public OtpConversionRequest to(String to) {
        set("to", to);
        return this;
    }
}
