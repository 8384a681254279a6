import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

class SendOtp {
    public static void main(String[] args) throws Exception {
        String form = "to=" + encode("+12025550142")
            + "&org=" + encode("Acme")
            + "&apikey=" + encode("YOUR_API_KEY");
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://pennytext.example/api/sendotp"))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form))
            .build();
        System.out.println(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body());
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
