import { Pennytext } from 'pennytext';

const client = new Pennytext({ apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example' });
const { credits, quote, expires_at } = await client.quote({
  to: '+12025550142',
  message: 'Hello from Pennytext',
});
console.log(credits, quote, expires_at);
