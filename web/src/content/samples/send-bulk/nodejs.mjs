const response = await fetch('https://pennytext.example/api/sendbulk', {
  method: 'POST',
  headers: {
    Authorization: 'Bearer YOUR_API_KEY',
    'Content-Type': 'application/json',
    'Idempotency-Key': 'orders-of-march-5',
  },
  body: JSON.stringify({
    message: 'Hi {{name}}, your order is ready.',
    recipients: [
      { to: '+12025550142', name: 'Ada' },
      { to: '+12025550143', name: 'Grace', reference: 'order-1043' },
    ],
  }),
});
console.log(await response.json());
