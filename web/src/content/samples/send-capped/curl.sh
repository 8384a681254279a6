curl https://pennytext.example/api/sendsms \
  --data-urlencode to='+4915123456789' \
  --data-urlencode message='Hello from Pennytext' \
  --data-urlencode max_credits='2' \
  --data-urlencode apikey='YOUR_API_KEY'
