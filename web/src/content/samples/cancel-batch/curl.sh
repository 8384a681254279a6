curl -X POST https://pennytext.example/api/batches/YOUR_BATCH_ID/cancel \
  -H 'Authorization: Bearer YOUR_API_KEY'
