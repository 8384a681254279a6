import { Pennytext } from 'pennytext';

const client = new Pennytext({ apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example' });
const { message_id, credits, balance } = await client.send({
  to: '+12025550142',
  message: 'Hello from Pennytext',
});
console.log(message_id, credits, balance);
