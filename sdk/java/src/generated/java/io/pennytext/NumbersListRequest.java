// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Arguments of {@link NumbersCalls#list}. */
public final class NumbersListRequest extends Request {
    /**
     * {@code live} (default): those that you have. {@code released}: those that you had. Values: {@code live},
     * {@code released}.
     */
    public NumbersListRequest status(String status) {
        set("status", status);
        return this;
    }
}
