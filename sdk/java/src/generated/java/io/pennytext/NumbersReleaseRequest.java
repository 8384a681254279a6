// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Arguments of {@link NumbersCalls#release}. */
public final class NumbersReleaseRequest extends Request {
    /**
     * {@code now} (default): 24 hours from now. {@code renews_at}: when the paid month ends. Values:
     * {@code now}, {@code renews_at}.
     */
    public NumbersReleaseRequest at(String at) {
        set("at", at);
        return this;
    }
}
