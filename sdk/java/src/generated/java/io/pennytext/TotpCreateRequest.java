// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Arguments of {@link TotpCalls#create}. */
public final class TotpCreateRequest extends Request {
    /**
     * Names the person’s account in the app, such as an email address: up to 100 characters on one line, without
     * a colon.
     */
    public TotpCreateRequest label(String label) {
        set("label", label);
        return this;
    }

    /** Names you in the app: up to 40 characters on one line, without a colon. */
    public TotpCreateRequest issuer(String issuer) {
        set("issuer", issuer);
        return this;
    }
}
