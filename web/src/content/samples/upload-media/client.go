package main

import (
	"context"
	"fmt"
	"log"
	"os"

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
	photo, err := os.ReadFile("table.jpg")
	if err != nil {
		log.Fatal(err)
	}
	answer, err := client.Media.Upload(ctx, pennytext.MediaUploadParams{
		Bytes: photo,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.MediaID, answer.Type, answer.Bytes)
}
