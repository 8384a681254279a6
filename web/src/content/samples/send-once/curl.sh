curl https://pennytext.example/api/sendsms \
  --data-urlencode to='+12025550142' \
  --data-urlencode message='Your order has been shipped.' \
  --data-urlencode dedupe='3600' \
  --data-urlencode apikey='YOUR_API_KEY'
