import io.pennytext.*;

public class Client {
    public static void main(String[] args) {
        Pennytext client = Pennytext.builder()
            .apiKey("YOUR_API_KEY")
            .baseUrl("https://pennytext.example")
            .build();
        var answer = client.balance();
        System.out.println(answer.balance() + " " + answer.purchased() + " " + answer.used());
    }
}
