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
	recipients := []map[string]any{
		{"to": "+12025550142", "name": "Ada"},
		{"to": "+12025550143", "name": "Grace", "reference": "order-1043"},
	}
	answer, err := client.SendBulk(ctx, pennytext.SendBulkParams{
		Message:        "Hi {{name}}, your order is ready.",
		Recipients:     recipients,
		IdempotencyKey: "orders-of-march-5",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.BatchID, answer.Accepted, answer.Credits)
}
