import io.pennytext.*;

public class Client {
    public static void main(String[] args) {
        Pennytext client = Pennytext.builder()
            .apiKey("YOUR_API_KEY")
            .baseUrl("https://pennytext.example")
            .build();
        var request = new OtpVerifyRequest().to("+12025550142").otp("123456");
        var answer = client.otp().verify(request);
        System.out.println(answer.status());
    }
}
