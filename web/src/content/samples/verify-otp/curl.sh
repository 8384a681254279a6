curl https://pennytext.example/api/verifyotp \
  --data-urlencode to='+12025550142' \
  --data-urlencode otp='123456' \
  --data-urlencode apikey='YOUR_API_KEY'
