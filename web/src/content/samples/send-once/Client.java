import io.pennytext.*;

public class Client {
    public static void main(String[] args) {
        Pennytext client = Pennytext.builder()
            .apiKey("YOUR_API_KEY")
            .baseUrl("https://pennytext.example")
            .build();
        var request = new SendRequest()
            .to("+12025550142")
            .message("Your order has been shipped.")
            .dedupe(3600L);
        var answer = client.send(request);
        System.out.println(answer.messageId() + " " + answer.deduplicated());
    }
}
