// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;

public final class OwnNumberAnswer extends Value {
    OwnNumberAnswer(Map<String, Object> fields) {
        super(fields);
    }

    /** Id of the number: {@code num_} and 32 hex digits. */
    public String numberId() {
        return get("number_id", String.class);
    }

    /** The number in E.164 format; one of the operator may be the id of a messaging service. */
    public String number() {
        return get("number", String.class);
    }

    /** Your name for it, up to 60 characters. May be null. */
    public String label() {
        return get("label", String.class);
    }

    /**
     * {@code local} or {@code toll_free}; {@code null} for a number of the operator. Values: {@code local},
     * {@code toll_free}. May be null.
     */
    public String type() {
        return get("type", String.class);
    }

    /** Its country, as ISO 3166-1 alpha-2 code; {@code null} for a number of the operator. May be null. */
    public String country() {
        return get("country", String.class);
    }

    /** Kinds of messages that the number takes and sends. */
    public List<String> capabilities() {
        return list("capabilities", String.class);
    }

    /**
     * {@code purchase}: you bought it. {@code operator}: the operator has given it to you. Values:
     * {@code purchase}, {@code operator}.
     */
    public String origin() {
        return get("origin", String.class);
    }

    /**
     * {@code reserving}: its purchase is not decided yet. {@code active}. {@code past_due}: its rent is due, and
     * it works until {@code releases_at}. {@code releasing}: nothing is sent from it, and texts to it are
     * stored, uncharged; it is given back at {@code releases_at}, until which you can undo it. {@code released}.
     * Values: {@code reserving}, {@code active}, {@code past_due}, {@code releasing}, {@code released}.
     */
    public String status() {
        return get("status", String.class);
    }

    /**
     * {@code false}: it is released when the month that is paid ends. {@code true} (default): its rent is taken
     * then.
     */
    public Boolean autoRenew() {
        return get("auto_renew", Boolean.class);
    }

    /** Its rent in credits; {@code null} for a number of the operator. May be null. */
    public Long creditsPerMonth() {
        return get("credits_per_month", Long.class);
    }

    /**
     * How many texts of people whom you have never texted are received, and charged, in a day, New York time; 0:
     * none. Further ones are stored as {@code limited}: they cost nothing and are not sent to your webhook.
     * Replies of people whom you have texted do not count. {@code null} for a number of the operator. A key sets
     * up to 100, the dashboard more. May be null.
     */
    public Long strangersPerDay() {
        return get("strangers_per_day", Long.class);
    }

    /** When the month that is paid ends, in UTC. May be null. */
    public OffsetDateTime renewsAt() {
        return time("renews_at");
    }

    /** Since when its rent is due and not paid. May be null. */
    public OffsetDateTime pastDueSince() {
        return time("past_due_since");
    }

    /**
     * When it is released, unless its rent is paid, {@code auto_renew} is set or the release is undone. May be
     * null.
     */
    public OffsetDateTime releasesAt() {
        return time("releases_at");
    }

    /** When it was released. May be null. */
    public OffsetDateTime releasedAt() {
        return time("released_at");
    }

    /**
     * Since when carriers filter its messages, so that pools do not use it; {@code null} if they do not. May be
     * null.
     */
    public OffsetDateTime filteredAt() {
        return time("filtered_at");
    }

    /** Ids of the pools that it is in. */
    public List<String> pools() {
        return list("pools", String.class);
    }

    /** When you bought it, in UTC. */
    public OffsetDateTime createdAt() {
        return time("created_at");
    }

    /** Messages of the number, among your newest 5,000 ones. */
    public NumberTraffic traffic() {
        return object("traffic", NumberTraffic::new);
    }

    /** Present if the key was a test key: this is an example. May be null. */
    public Boolean test() {
        return get("test", Boolean.class);
    }
}
