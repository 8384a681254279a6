package io.pennytext;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies webhooks by the rules of Standard Webhooks. */
public final class Webhooks {
    private static final long TOLERANCE_SECONDS = 300;
    private static final int TIMESTAMP_DIGITS_MAX = 12;
    /** A proxy may have joined the values of a header that came twice, by a comma (RFC 9110, section 5.3). */
    private static final Pattern SIGNATURE = Pattern.compile("(?:^|[\\s,])v1,([A-Za-z0-9+/]+={0,2})");

    private Webhooks() {
    }

    /**
     * Checks the signature of a webhook and returns its event.
     *
     * @param body the request's body as it came, before anything has parsed it
     * @param header gives the value of a header or null, whatever the case of its name, such as
     *     {@code request::getHeader} of a servlet
     * @param secrets the secret of the endpoint; during a rotation both secrets
     * @throws PennytextException with the code {@code invalid_webhook} unless the webhook is genuine and at most
     *     five minutes old
     * @throws IllegalArgumentException for a secret that is none
     */
    public static Webhook verify(byte[] body, UnaryOperator<String> header, String... secrets) {
        return verify(Instant.now(), body, header, secrets);
    }

    /**
     * Checks the signature of a webhook and returns its event, as the method above does.
     *
     * @param headers values by their names in any case, such as {@code exchange.getRequestHeaders()} or
     *     {@code HttpHeaders.map()}
     */
    public static Webhook verify(byte[] body, Map<String, List<String>> headers, String... secrets) {
        return verify(Instant.now(), body, headerOf(headers), secrets);
    }

    static UnaryOperator<String> headerOf(Map<String, List<String>> headers) {
        return name -> headers.entrySet().stream()
            .filter(header -> name.equalsIgnoreCase(header.getKey()))
            .map(header -> String.join(",", header.getValue()))
            .collect(Collectors.collectingAndThen(Collectors.joining(","), value -> value.isEmpty() ? null : value));
    }

    static Webhook verify(Instant now, byte[] body, UnaryOperator<String> header, String... secrets) {
        List<byte[]> keys = Arrays.stream(secrets).map(Webhooks::keyOf).collect(Collectors.toList());
        if (keys.isEmpty()) throw new IllegalArgumentException("A webhook is verified with a secret.");
        String id = required(header, "webhook-id");
        String timestamp = required(header, "webhook-timestamp");
        boolean isTime = timestamp.matches("[0-9]+") && timestamp.length() <= TIMESTAMP_DIGITS_MAX;
        if (!isTime || Math.abs(now.toEpochMilli() - Long.parseLong(timestamp) * 1000) > TOLERANCE_SECONDS * 1000)
            throw refusal("The webhook-timestamp is more than " + TOLERANCE_SECONDS + " seconds from the clock.");
        byte[] prefix = (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
        List<byte[]> signatures = new ArrayList<>();
        Matcher found = SIGNATURE.matcher(required(header, "webhook-signature"));
        while (found.find()) signatures.add(found.group(1).getBytes(StandardCharsets.US_ASCII));
        for (byte[] key : keys) {
            byte[] expected = Base64.getEncoder().encode(hmac(key, prefix, body));
            for (byte[] signature : signatures)
                if (MessageDigest.isEqual(expected, signature)) return eventOf(id, body);
        }
        throw refusal("No signature matches: is this the secret of the dashboard, and the body as it came?");
    }

    /** Received messages have no type of their own. */
    private static Webhook eventOf(String id, byte[] body) {
        Map<String, Object> sent = Json.readObject(new String(body, StandardCharsets.UTF_8));
        if (sent == null) throw refusal("The body is not a JSON object.");
        Map<String, Object> event = new LinkedHashMap<>();
        if (sent.containsKey("type")) event.putAll(sent);
        else event.putAll(Map.of("type", "message.received", "data", sent));
        event.put("id", id);
        return new Webhook(Collections.unmodifiableMap(event));
    }

    private static byte[] hmac(byte[] key, byte[] prefix, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update(prefix);
            return mac.doFinal(body);
        } catch (GeneralSecurityException absent) {
            throw new IllegalStateException("Every Java has HmacSHA256.", absent);
        }
    }

    private static byte[] keyOf(String secret) {
        try {
            if (secret == null) throw new IllegalArgumentException();
            byte[] key = Base64.getDecoder().decode(secret.trim().replaceFirst("^whsec_", ""));
            if (key.length > 0) return key;
        } catch (IllegalArgumentException malformed) {
            // The exception shows the odd character of the secret.
        }
        throw new IllegalArgumentException("A webhook secret is \"whsec_\" and base64.");
    }

    private static String required(UnaryOperator<String> header, String name) {
        String value = header.apply(name);
        if (value == null) throw refusal("The header " + name + " is missing.");
        return value.trim();
    }

    private static PennytextException refusal(String detail) {
        return new PennytextException("invalid_webhook", detail, null);
    }
}
