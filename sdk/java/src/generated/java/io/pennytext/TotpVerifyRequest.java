// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Arguments of {@link TotpCalls#verify}. */
public final class TotpVerifyRequest extends Request {
    /**
     * The 6 digits that the app shows, or a recovery code, as the person entered it: as text, because it may
     * begin with 0. Spaces, dashes and small letters are read.
     */
    public TotpVerifyRequest code(String code) {
        set("code", code);
        return this;
    }
}
