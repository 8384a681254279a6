import { Pennytext } from 'pennytext';

const client = new Pennytext({ apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example' });
const { message_id, credits } = await client.send({
  to: '+4915123456789',
  message: 'Hello from Pennytext',
  max_credits: 2,
});
console.log(message_id, credits);
