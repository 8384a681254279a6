package main

import (
	"context"
	"fmt"
	"log"

	"pennytext.example/pennytext"
)

func main() {
	ctx := context.Background()
	client, err := pennytext.NewClient(pennytext.Options{
		APIKey:  "YOUR_API_KEY",
		BaseURL: "https://pennytext.example",
	})
	if err != nil {
		log.Fatal(err)
	}
	channels := []pennytext.OTPChannel{
		{Channel: "sms", WaitSeconds: pennytext.Int(45)},
		{Channel: "email", To: "ann@example.com"},
	}
	answer, err := client.OTP.Send(ctx, pennytext.OTPSendParams{
		To:         "+12025550142",
		Channels:   channels,
		MaxCredits: pennytext.Int(2),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.OTPID, answer.NextChannel, answer.NextChannelAt)
}
