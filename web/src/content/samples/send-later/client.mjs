import { Pennytext } from 'pennytext';

const client = new Pennytext({ apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example' });
const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
const { message_id, status, send_at } = await client.send({
  to: '+12025550142',
  message: 'See you at 10',
  send_at: tomorrow,
});
console.log(message_id, status, send_at);
