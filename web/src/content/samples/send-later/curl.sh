# This time tomorrow, by the date command of Linux or of macOS.
SEND_AT=$(date -u -d '1 day' +%FT%TZ 2>/dev/null || date -u -v+1d +%FT%TZ)
curl https://pennytext.example/api/sendsms \
  --data-urlencode to='+12025550142' \
  --data-urlencode message='See you at 10' \
  --data-urlencode send_at="$SEND_AT" \
  --data-urlencode apikey='YOUR_API_KEY'
