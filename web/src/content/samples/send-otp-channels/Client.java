import io.pennytext.*;
import java.util.*;

public class Client {
    public static void main(String[] args) {
        Pennytext client = Pennytext.builder()
            .apiKey("YOUR_API_KEY")
            .baseUrl("https://pennytext.example")
            .build();
        var request = new OtpSendRequest()
            .to("+12025550142")
            .channels(List.of(
                new OtpChannel().channel("sms").waitSeconds(45L),
                new OtpChannel().channel("email").to("ann@example.com")))
            .maxCredits(2L);
        var answer = client.otp().send(request);
        System.out.println(answer.otpId() + " " + answer.nextChannel() + " " + answer.nextChannelAt());
    }
}
