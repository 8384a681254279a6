package main

import (
	"context"
	"fmt"
	"log"
	"time"

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
	answer, err := client.Send(ctx, pennytext.SendParams{
		To:      "+12025550142",
		Message: "See you at 10",
		SendAt:  pennytext.Time(time.Now().Add(24 * time.Hour)),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.MessageID, answer.Status, answer.SendAt)
}
