curl https://pennytext.example/api/sendbulk \
  -H 'Authorization: Bearer YOUR_API_KEY' \
  -H 'Content-Type: application/json' \
  -H 'Idempotency-Key: orders-of-march-5' \
  -d '{
    "message": "Hi {{name}}, your order is ready.",
    "recipients": [
      {"to": "+12025550142", "name": "Ada"},
      {"to": "+12025550143", "name": "Grace", "reference": "order-1043"}
    ]
  }'
