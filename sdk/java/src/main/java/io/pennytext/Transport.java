package io.pennytext;

import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Checks what a caller gave, and writes requests as HTTP carries them. */
final class Transport {
    static final String VERSION = "0.1.0";
    private static final String AGENT =
        "pennytext-java/" + VERSION + " (Java/" + System.getProperty("java.version") + ")";
    private static final Pattern IDEMPOTENCY_KEY = Pattern.compile("[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?");

    final PennytextBuilder options;

    Transport(PennytextBuilder options) {
        this.options = options;
    }

    /** Arguments are in the query, or in a JSON body where the method has one. A file is sent as a form. */
    <T> CompletableFuture<T> call(
            String method, String path, Request given, Call.Repeat repeat, Function<Map<String, Object>, T> type) {
        Map<String, Object> arguments = given == null ? Map.of() : given.fields;
        boolean hasBody = method.startsWith("P");
        String address = options.baseUrl + path + (hasBody ? "" : queryOf(arguments));
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address));
        boolean isUpload = given != null && given.file != null;
        if (isUpload) request.method(method, form(request, given.file));
        else request.method(method, hasBody ? json(request, arguments) : BodyPublishers.noBody());
        request.setHeader("accept", "application/json").setHeader("user-agent", AGENT);
        request.setHeader("authorization", "Bearer " + options.apiKey);
        String key = repeat == Call.Repeat.KEYED ? keyOf(given) : null;
        if (key != null) request.setHeader("idempotency-key", key);
        return new Call<>(options, request, repeat, key, isUpload, type).start();
    }

    <T> CompletableFuture<Page<T>> list(
            String path, Request given, String field, Function<Map<String, Object>, T> type) {
        return page(path, given == null ? Map.of() : new LinkedHashMap<>(given.fields), field, type);
    }

    private <T> CompletableFuture<Page<T>> page(
            String path, Map<String, Object> query, String field, Function<Map<String, Object>, T> type) {
        return call("GET", path + queryOf(query), null, Call.Repeat.FREE, fields -> {
            Value page = new Value(fields);
            return new Page<>(page.objects(field, type), page.get("next_cursor", String.class), cursor -> {
                if (cursor.equals(query.get("cursor"))) return CompletableFuture.failedFuture(
                    new PennytextException("invalid_answer", "The next page is the same page.", null));
                Map<String, Object> next = new LinkedHashMap<>(query);
                next.put("cursor", cursor);
                return page(path, next, field, type);
            });
        });
    }

    /** Returns an id as a path carries it. */
    static String segment(String id) {
        if (id == null || Set.of("", ".", "..").contains(id))
            throw new IllegalArgumentException("An id must be a text that is not empty, \".\" or \"..\".");
        return encoded(id).replace("+", "%20");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static String queryOf(Map<String, Object> arguments) {
        String query = arguments.entrySet().stream()
            .map(argument -> argument.getKey() + "=" + encoded(Json.textOf(argument.getValue())))
            .collect(Collectors.joining("&"));
        return query.isEmpty() ? "" : "?" + query;
    }

    private static String keyOf(Request given) {
        if (given == null || given.idempotencyKey == null) return UUID.randomUUID().toString();
        if (IDEMPOTENCY_KEY.matcher(given.idempotencyKey).matches()) return given.idempotencyKey;
        throw new IllegalArgumentException("An idempotencyKey is a text of printable ASCII characters.");
    }

    private static BodyPublisher json(HttpRequest.Builder request, Map<String, Object> arguments) {
        Object recipients = arguments.getOrDefault("recipients", List.of());
        for (Object recipient : (Iterable<?>) recipients) {
            Object to = ((Map<?, ?>) recipient).get("to");
            if (to != null && !(to instanceof CharSequence))
                throw new IllegalArgumentException("The to of a recipient must be a text, such as \"+12025550142\".");
        }
        request.setHeader("content-type", "application/json");
        ByteBuffer text = StandardCharsets.UTF_8.encode(CharBuffer.wrap(Json.write(new StringBuilder(), arguments)));
        return BodyPublishers.ofByteArray(text.array(), 0, text.limit());
    }

    private static BodyPublisher form(HttpRequest.Builder request, byte[] file) {
        String boundary = UUID.randomUUID().toString();
        String head = "--" + boundary + "\r\nContent-Disposition: form-data; name=\"file\"; filename=\"file\"\r\n"
            + "Content-Type: application/octet-stream\r\n\r\n";
        request.setHeader("content-type", "multipart/form-data; boundary=" + boundary);
        return BodyPublishers.ofByteArrays(List.of(head.getBytes(StandardCharsets.US_ASCII), file,
            ("\r\n--" + boundary + "--\r\n").getBytes(StandardCharsets.US_ASCII)));
    }
}
