const response = await fetch('https://pennytext.example/api/sendotp', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    to: '+12025550142',
    org: 'Acme',
    apikey: 'YOUR_API_KEY',
  }),
});
console.log(await response.json());
