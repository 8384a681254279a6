curl https://pennytext.example/api/balance \
  -H 'Authorization: Bearer YOUR_API_KEY'
