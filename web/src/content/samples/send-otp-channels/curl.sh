curl https://pennytext.example/api/sendotp \
  -H 'Authorization: Bearer YOUR_API_KEY' \
  -H 'Content-Type: application/json' \
  -d '{
    "to": "+12025550142",
    "channels": [
      {"channel": "sms", "wait_seconds": 45},
      {"channel": "email", "to": "ann@example.com"}
    ],
    "max_credits": 2
  }'
