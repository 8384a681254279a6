import { Pennytext } from 'pennytext';

const client = new Pennytext({ apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example' });
const { message_id, deduplicated } = await client.send({
  to: '+12025550142',
  message: 'Your order has been shipped.',
  dedupe: 3600,
});
console.log(message_id, deduplicated);
