import io.pennytext.*;

public class Client {
    public static void main(String[] args) {
        Pennytext client = Pennytext.builder()
            .apiKey("YOUR_API_KEY")
            .baseUrl("https://pennytext.example")
            .build();
        var request = new OtpSendRequest().to("+12025550142").org("Acme");
        var answer = client.otp().send(request);
        System.out.println(answer.otpId() + " " + answer.messageId());
    }
}
