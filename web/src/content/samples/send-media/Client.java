import io.pennytext.*;
import java.util.*;

public class Client {
    public static void main(String[] args) {
        Pennytext client = Pennytext.builder()
            .apiKey("YOUR_API_KEY")
            .baseUrl("https://pennytext.example")
            .build();
        var request = new SendRequest()
            .to("+12025550142")
            .message("Your table by the window")
            .media(List.of(new MediaSource().url("https://example.com/table.jpg")));
        var answer = client.send(request);
        System.out.println(answer.messageId() + " " + answer.credits());
    }
}
