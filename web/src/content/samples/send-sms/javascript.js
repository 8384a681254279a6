fetch('https://pennytext.example/api/sendsms', {
  method: 'POST',
  body: new URLSearchParams({
    to: '+12025550142',
    message: 'Hello from Pennytext',
    apikey: 'YOUR_API_KEY',
  }),
})
  .then((response) => response.json())
  .then((answer) => console.log(answer));
