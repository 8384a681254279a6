require "pennytext"

client = Pennytext::Client.new(api_key: "YOUR_API_KEY", base_url: "https://pennytext.example")
answer = client.batches.get("YOUR_BATCH_ID")
puts answer.messages, answer.statuses
