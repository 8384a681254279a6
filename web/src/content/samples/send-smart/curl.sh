curl https://pennytext.example/api/sendsms \
  --data-urlencode to='+12025550142' \
  --data-urlencode message='“See you at 6…”' \
  --data-urlencode encoding='smart' \
  --data-urlencode apikey='YOUR_API_KEY'
