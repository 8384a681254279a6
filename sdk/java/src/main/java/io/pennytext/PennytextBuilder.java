package io.pennytext;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** Makes a client. */
public final class PennytextBuilder {
    private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]+");
    private static final Pattern ADDRESS = Pattern.compile("https?://[^\\s?#]+", Pattern.CASE_INSENSITIVE);

    String apiKey;
    String baseUrl;
    HttpClient httpClient;
    int maxRetries = 3;
    Duration timeout;
    Duration deadline;
    Duration maxWait = Duration.ofSeconds(30);
    /** Tests replace the environment and the clock. */
    UnaryOperator<String> environment = System::getenv;
    Clock clock = new Clock();

    PennytextBuilder() {
    }

    PennytextBuilder(PennytextBuilder other) {
        apiKey = other.apiKey;
        baseUrl = other.baseUrl;
        httpClient = other.httpClient;
        maxRetries = other.maxRetries;
        timeout = other.timeout;
        deadline = other.deadline;
        maxWait = other.maxWait;
        environment = other.environment;
        clock = other.clock;
    }

    /** Sets the secret of your key: {@code PENNYTEXT_API_KEY} of the environment without it. */
    public PennytextBuilder apiKey(String apiKey) {
        this.apiKey = apiKey;
        return this;
    }

    /** Sets the address of the service, without {@code /api}: {@code PENNYTEXT_URL} of the environment without it. */
    public PennytextBuilder baseUrl(String baseUrl) {
        this.baseUrl = baseUrl;
        return this;
    }

    /** Sets the maximum of repetitions of a failed call: 3 without it. */
    public PennytextBuilder maxRetries(int maxRetries) {
        this.maxRetries = maxRetries;
        return this;
    }

    /** Sets the longest time of each try: 30 seconds without it, and 120 for an upload. */
    public PennytextBuilder timeout(Duration timeout) {
        this.timeout = timeout;
        return this;
    }

    /** Sets the longest time of a call with its tries and waits: 60 seconds without it, and 240 for an upload. */
    public PennytextBuilder deadline(Duration deadline) {
        this.deadline = deadline;
        return this;
    }

    /** Sets the longest wait between two tries, 30 seconds without it. A call that must wait longer fails at once. */
    public PennytextBuilder maxWait(Duration maxWait) {
        this.maxWait = maxWait;
        return this;
    }

    /** Sets an HTTP client, such as with a proxy or an executor. It must not follow redirects. */
    public PennytextBuilder httpClient(HttpClient httpClient) {
        this.httpClient = httpClient;
        return this;
    }

    /** Throws IllegalArgumentException for a key or an address that a request cannot carry. */
    public Pennytext build() {
        PennytextBuilder made = new PennytextBuilder(this);
        made.apiKey = apiKey == null ? environment.apply("PENNYTEXT_API_KEY") : apiKey;
        made.baseUrl = addressOf(baseUrl == null ? environment.apply("PENNYTEXT_URL") : baseUrl);
        if (made.apiKey == null || made.apiKey.isEmpty())
            throw new IllegalArgumentException("Pennytext needs an apiKey, or PENNYTEXT_API_KEY in the environment.");
        if (!KEY.matcher(made.apiKey).matches())
            throw new IllegalArgumentException("The apiKey has a space, a line break or another odd character.");
        if (httpClient == null) made.httpClient = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        // The key would go to another address.
        if (made.httpClient.followRedirects() != HttpClient.Redirect.NEVER)
            throw new IllegalArgumentException("The httpClient must not follow redirects.");
        return new Pennytext(new Transport(made));
    }

    /** The address may contain a password: no exception shows it. */
    private static String addressOf(String text) {
        if (text == null || text.isEmpty())
            throw new IllegalArgumentException("Pennytext needs a baseUrl, or PENNYTEXT_URL in the environment.");
        if (!ADDRESS.matcher(text).matches() || text.contains("@") || !hasHost(text))
            throw new IllegalArgumentException(
                "The baseUrl must be such as https://sms.example.com, without password, query and fragment.");
        return text.replaceAll("/+$", "");
    }

    private static boolean hasHost(String text) {
        try {
            return URI.create(text).getHost() != null;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}
