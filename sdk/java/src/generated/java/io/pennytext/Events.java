// Generated from the contract by `npm run -s docs:sdk`.
package io.pennytext;

import java.util.Map;
import java.util.function.Function;

/** The classes of the data of webhooks. */
final class Events {
    static final Map<String, Function<Map<String, Object>, Value>> TYPES = Map.ofEntries(
        Map.entry("message.received", MessageReceivedData::new),
        Map.entry("message.scheduled", MessageScheduledData::new),
        Map.entry("message.sent", MessageSentData::new),
        Map.entry("message.rerouted", MessageReroutedData::new),
        Map.entry("message.delivered", MessageDeliveredData::new),
        Map.entry("message.undelivered", MessageUndeliveredData::new),
        Map.entry("message.failed", MessageFailedData::new),
        Map.entry("message.canceled", MessageCanceledData::new),
        Map.entry("message.media_ready", MessageMediaReadyData::new),
        Map.entry("otp.sent", OtpSentData::new),
        Map.entry("otp.verified", OtpVerifiedData::new),
        Map.entry("otp.failed", OtpFailedData::new),
        Map.entry("otp.expired", OtpExpiredData::new),
        Map.entry("otp.blocked", OtpBlockedData::new),
        Map.entry("credits.low", CreditsLowData::new),
        Map.entry("credits.daily_spend", CreditsDailySpendData::new),
        Map.entry("number.active", NumberActiveData::new),
        Map.entry("number.past_due", NumberPastDueData::new),
        Map.entry("number.released", NumberReleasedData::new),
        Map.entry("number.filtered", NumberFilteredData::new));

    private Events() {
    }
}
