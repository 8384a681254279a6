const response = await fetch('https://pennytext.example/api/sendsms', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', Authorization: 'Bearer YOUR_API_KEY' },
  body: JSON.stringify({
    to: '+12025550142',
    message: 'Your table by the window',
    media: [{ url: 'https://example.com/table.jpg' }],
  }),
});
console.log(await response.json());
