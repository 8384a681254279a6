const response = await fetch('https://pennytext.example/api/sendsms', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    to: '+12025550142',
    message: 'Hello from Pennytext',
    apikey: 'YOUR_API_KEY',
  }),
});
console.log(await response.json());
