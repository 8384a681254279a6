import io.pennytext.*;

public class Client {
    public static void main(String[] args) {
        Pennytext client = Pennytext.builder()
            .apiKey("YOUR_API_KEY")
            .baseUrl("https://pennytext.example")
            .build();
        var answer = client.messages().cancel("YOUR_MESSAGE_ID");
        System.out.println(answer.status() + " " + answer.refunded());
    }
}
