curl https://pennytext.example/api/batches/YOUR_BATCH_ID \
  -H 'Authorization: Bearer YOUR_API_KEY'
