fetch('https://pennytext.example/api/sendotp', {
  method: 'POST',
  body: new URLSearchParams({
    to: '+12025550142',
    org: 'Acme',
    apikey: 'YOUR_API_KEY',
  }),
})
  .then((response) => response.json())
  .then((answer) => console.log(answer));
