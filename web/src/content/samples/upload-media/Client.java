import io.pennytext.*;
import java.nio.file.*;

public class Client {
    public static void main(String[] args) throws Exception {
        Pennytext client = Pennytext.builder()
            .apiKey("YOUR_API_KEY")
            .baseUrl("https://pennytext.example")
            .build();
        var request = new MediaUploadRequest()
            .file(Files.readAllBytes(Path.of("table.jpg")));
        var answer = client.media().upload(request);
        System.out.println(answer.mediaId() + " " + answer.type() + " " + answer.bytes());
    }
}
