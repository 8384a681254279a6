curl https://pennytext.example/api/sendsms \
  --data-urlencode to='+12025550142' \
  --data-urlencode message='Hello from Pennytext' \
  --data-urlencode apikey='YOUR_API_KEY'
