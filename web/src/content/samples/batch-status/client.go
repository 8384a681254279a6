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
	answer, err := client.Batches.Get(ctx, "YOUR_BATCH_ID")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Messages, answer.Statuses)
}
