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
	answer, err := client.OTP.Verify(ctx, pennytext.OTPVerifyParams{
		To:  "+12025550142",
		OTP: "123456",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Status)
}
