import { Pennytext } from 'pennytext';

const client = new Pennytext({ apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example' });
const { canceled, refunded } = await client.batches.cancel('YOUR_BATCH_ID');
console.log(canceled, refunded);
