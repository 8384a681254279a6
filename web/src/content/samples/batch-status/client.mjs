import { Pennytext } from 'pennytext';

const client = new Pennytext({ apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example' });
const { messages, statuses } = await client.batches.get('YOUR_BATCH_ID');
console.log(messages, statuses);
