curl https://pennytext.example/api/quote \
  --data-urlencode to='+12025550142' \
  --data-urlencode message='Hello from Pennytext' \
  --data-urlencode apikey='YOUR_API_KEY'
