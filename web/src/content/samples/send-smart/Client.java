import io.pennytext.*;

public class Client {
    public static void main(String[] args) {
        Pennytext client = Pennytext.builder()
            .apiKey("YOUR_API_KEY")
            .baseUrl("https://pennytext.example")
            .build();
        var request = new SendRequest()
            .to("+12025550142")
            .message("“See you at 6…”")
            .encoding("smart");
        var answer = client.send(request);
        System.out.println(answer.encoding() + " " + answer.message());
    }
}
