fetch('https://pennytext.example/api/verifyotp', {
  method: 'POST',
  body: new URLSearchParams({
    to: '+12025550142',
    otp: '123456',
    apikey: 'YOUR_API_KEY',
  }),
})
  .then((response) => response.text())
  .then((answer) => console.log(answer));
