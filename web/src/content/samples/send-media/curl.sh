curl https://pennytext.example/api/sendsms \
  --data-urlencode to='+12025550142' \
  --data-urlencode message='Your table by the window' \
  --data-urlencode media='https://example.com/table.jpg' \
  --data-urlencode apikey='YOUR_API_KEY'
