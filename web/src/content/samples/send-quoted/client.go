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
	answer, err := client.Send(ctx, pennytext.SendParams{
		To:      "+12025550142",
		Message: "Hello from Pennytext",
		Quote:   "YOUR_QUOTE",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.MessageID, answer.Credits)
}
