curl https://pennytext.example/api/sendotp \
  --data-urlencode to='+12025550142' \
  --data-urlencode org='Acme' \
  --data-urlencode apikey='YOUR_API_KEY'
