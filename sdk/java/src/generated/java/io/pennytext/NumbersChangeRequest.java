// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

/** Arguments of {@link NumbersCalls#change}. */
public final class NumbersChangeRequest extends Request {
    /** Your name for it, up to 60 characters. */
    public NumbersChangeRequest label(String label) {
        set("label", label);
        return this;
    }

    /**
     * {@code false}: it is released when the month that is paid ends. {@code true} (default): its rent is taken
     * then.
     */
    public NumbersChangeRequest autoRenew(Boolean autoRenew) {
        set("auto_renew", autoRenew);
        return this;
    }

    /**
     * How many texts of people whom you have never texted are received, and charged, in a day, New York time; 0:
     * none. Further ones are stored as {@code limited}: they cost nothing and are not sent to your webhook.
     * Replies of people whom you have texted do not count. {@code null} for a number of the operator. A key sets
     * up to 100, the dashboard more.
     */
    public NumbersChangeRequest strangersPerDay(Long strangersPerDay) {
        set("strangers_per_day", strangersPerDay);
        return this;
    }
}
