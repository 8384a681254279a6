curl https://pennytext.example/api/sendsms \
  --data-urlencode to='+12025550142' \
  --data-urlencode message='See you at 10' \
  --data-urlencode send_at='2026-03-06T09:00:00-05:00' \
  --data-urlencode apikey='YOUR_API_KEY'
