import { Pennytext } from 'pennytext';

const client = new Pennytext({ apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example' });
const { batch_id, accepted, credits } = await client.sendBulk(
  {
    message: 'Hi {{name}}, your order is ready.',
    recipients: [
      { to: '+12025550142', name: 'Ada' },
      { to: '+12025550143', name: 'Grace', reference: 'order-1043' },
    ],
  },
  { idempotencyKey: 'orders-of-march-5' },
);
console.log(batch_id, accepted, credits);
