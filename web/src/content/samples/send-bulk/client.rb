require "pennytext"

client = Pennytext::Client.new(api_key: "YOUR_API_KEY", base_url: "https://pennytext.example")
answer = client.send_bulk(
  message: "Hi {{name}}, your order is ready.",
  recipients: [
    { to: "+12025550142", name: "Ada" },
    { to: "+12025550143", name: "Grace", reference: "order-1043" },
  ],
  idempotency_key: "orders-of-march-5"
)
puts answer.batch_id, answer.accepted, answer.credits
