import io.pennytext.*;

public class Client {
    public static void main(String[] args) {
        Pennytext client = Pennytext.builder()
            .apiKey("YOUR_API_KEY")
            .baseUrl("https://pennytext.example")
            .build();
        var answer = client.batches().cancel("YOUR_BATCH_ID");
        System.out.println(answer.canceled() + " " + answer.refunded());
    }
}
