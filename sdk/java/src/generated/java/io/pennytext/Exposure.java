// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.List;
import java.util.Map;

public final class Exposure extends Value {
    Exposure(Map<String, Object> fields) {
        super(fields);
    }

    /** The most credits that could be spent before you notice. */
    public Long credits() {
        return get("credits", Long.class);
    }

    /**
     * Limit that ends the spending: {@code balance} (all credits are gone, those of top-ups too),
     * {@code daily_limit}, {@code budgets} of the keys, or {@code sending_off}. Values: {@code sending_off},
     * {@code balance}, {@code daily_limit}, {@code budgets}.
     */
    public String bound() {
        return get("bound", String.class);
    }

    /** The time within which you are assumed to notice. */
    public Long withinHours() {
        return get("within_hours", Long.class);
    }

    /** Credits that can be spent now. */
    public Long available() {
        return get("available", Long.class);
    }

    /** Credits that automatic top-up could buy within this time. */
    public Long topUpCredits() {
        return get("top_up_credits", Long.class);
    }

    /**
     * Credits that numbers could cost within this time: your account’s own key and keys with the scope
     * {@code numbers} buy at most 5 a day. 0 before your first paid purchase.
     */
    public Long numberCredits() {
        return get("number_credits", Long.class);
    }

    /** Messages that your daily limit allows within this time. */
    public Long messages() {
        return get("messages", Long.class);
    }

    /** Price of the dearest message: 10 segments to your dearest country. */
    public Long creditsPerMessage() {
        return get("credits_per_message", Long.class);
    }

    /**
     * The same for each live key alone, the largest first. {@code key_id} is {@code null} for your account’s own
     * key.
     */
    public List<ExposureKey> keys() {
        return objects("keys", ExposureKey::new);
    }

    /**
     * Changes that lower {@code credits}: what to do, and the credits after it. {@code switch}:
     * {@code top_up_off}.
     */
    public List<ExposureSwitch> switches() {
        return objects("switches", ExposureSwitch::new);
    }

    /** Present if the key was a test key: this is an example. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
