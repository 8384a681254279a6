curl -X POST https://pennytext.example/api/messages/YOUR_MESSAGE_ID/cancel \
  -H 'Authorization: Bearer YOUR_API_KEY'
