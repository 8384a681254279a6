curl https://pennytext.example/api/messages/YOUR_MESSAGE_ID \
  -H 'Authorization: Bearer YOUR_API_KEY'
