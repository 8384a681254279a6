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
	answer, err := client.OTP.Send(ctx, pennytext.OTPSendParams{
		To:  "+12025550142",
		Org: "Acme",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.OTPID, answer.MessageID)
}
