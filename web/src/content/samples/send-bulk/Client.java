import io.pennytext.*;
import java.util.*;

public class Client {
    public static void main(String[] args) {
        Pennytext client = Pennytext.builder()
            .apiKey("YOUR_API_KEY")
            .baseUrl("https://pennytext.example")
            .build();
        var request = new SendBulkRequest()
            .message("Hi {{name}}, your order is ready.")
            .recipients(List.of(
                Map.of("to", "+12025550142", "name", "Ada"),
                Map.of("to", "+12025550143", "name", "Grace", "reference", "order-1043")))
            .idempotencyKey("orders-of-march-5");
        var answer = client.sendBulk(request);
        System.out.println(answer.batchId() + " " + answer.accepted() + " " + answer.credits());
    }
}
