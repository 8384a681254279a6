curl https://pennytext.example/api/sendsms \
  --data-urlencode to='+12025550142' \
  --data-urlencode message='Hello from Pennytext' \
  --data-urlencode quote='YOUR_QUOTE' \
  --data-urlencode apikey='YOUR_API_KEY'
