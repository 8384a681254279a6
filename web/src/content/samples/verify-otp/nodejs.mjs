const response = await fetch('https://pennytext.example/api/verifyotp', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    to: '+12025550142',
    otp: '123456',
    apikey: 'YOUR_API_KEY',
  }),
});
console.log(await response.text());
