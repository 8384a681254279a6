package io.pennytext;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** Takes the body of an answer, and gives up when it is too long to be the API's. */
final class Answer implements BodySubscriber<Answer> {
    /** Several times the longest answer of the API. */
    private static final int BYTES_MAX = 16 * 1024 * 1024;

    private final ResponseInfo info;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final CompletableFuture<Answer> whole = new CompletableFuture<>();
    private volatile Flow.Subscription subscription;

    Answer(ResponseInfo info) {
        this.info = info;
    }

    @Override
    public CompletableFuture<Answer> getBody() {
        return whole;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        this.subscription = subscription;
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        for (ByteBuffer buffer : buffers) {
            byte[] chunk = new byte[buffer.remaining()];
            buffer.get(chunk);
            if (bytes.size() <= BYTES_MAX) bytes.writeBytes(chunk);
        }
        if (bytes.size() > BYTES_MAX && whole.completeExceptionally(invalid("The answer is too long."))) cancel();
    }

    @Override
    public void onError(Throwable thrown) {
        whole.completeExceptionally(thrown);
    }

    @Override
    public void onComplete() {
        whole.complete(this);
    }

    void cancel() {
        if (subscription != null) subscription.cancel();
    }

    /** Returns the fields of a success. Throws PennytextException otherwise. */
    Map<String, Object> fields() {
        Map<String, Object> body = Json.readObject(bytes.toString(StandardCharsets.UTF_8));
        int status = info.statusCode();
        if (status >= 400) throw failure(body);
        if (status >= 300) {
            // The key would go to another address.
            String place = info.headers().firstValue("location").map(to -> " to " + to).orElse("");
            throw invalid("The answer is a redirect" + place + ". Is the baseUrl right?");
        }
        if (body == null) throw invalid("The answer is not a JSON object.");
        // Errors are thrown: the field would always be the same.
        Map<String, Object> fields = new LinkedHashMap<>(body);
        fields.remove("success");
        return Collections.unmodifiableMap(fields);
    }

    private PennytextException failure(Map<String, Object> fields) {
        Value body = fields != null && fields.get("code") instanceof String ? new Value(fields) : null;
        if (body == null) return failure(info.statusCode() < 500 ? "invalid_answer" : "unavailable", null, null);
        String detail = body.get("detail", String.class);
        boolean isEmpty = detail == null || detail.isEmpty();
        return failure(body.get("code", String.class), isEmpty ? body.get("error", String.class) : detail, body);
    }

    private PennytextException invalid(String detail) {
        return failure("invalid_answer", detail, null);
    }

    private PennytextException failure(String code, String given, Value body) {
        String hint = code.equals("invalid_answer") ? " without an answer of the API: is the address right?" : "";
        String detail = given == null || given.isEmpty() ? "HTTP " + info.statusCode() + hint : given;
        String requestId = info.headers().firstValue("x-request-id").orElse(null);
        return new PennytextException(code, detail, null, info.statusCode(), requestId, retryAfter(), body);
    }

    /** A date is compared with that of the answer, since the clocks may differ (RFC 9110, section 10.2.3). */
    private Duration retryAfter() {
        String value = info.headers().firstValue("retry-after").orElse("").trim();
        if (value.matches("[0-9]{1,9}")) return Duration.ofSeconds(Long.parseLong(value));
        if (value.matches("[0-9]+")) return Duration.ofSeconds(Integer.MAX_VALUE);
        Instant at = timeOf(value);
        if (at == null) return null;
        Instant answered = timeOf(info.headers().firstValue("date").orElse("").trim());
        Duration wait = Duration.between(answered == null ? Instant.now() : answered, at);
        return wait.isNegative() ? Duration.ZERO : wait;
    }

    private static Instant timeOf(String text) {
        try {
            return DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from);
        } catch (DateTimeException none) {
            return null;
        }
    }
}
