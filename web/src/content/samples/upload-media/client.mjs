import { readFile } from 'node:fs/promises';
import { Pennytext } from 'pennytext';

const client = new Pennytext({ apiKey: 'YOUR_API_KEY', baseUrl: 'https://pennytext.example' });
const { media_id, type, bytes } = await client.media.upload(await readFile('table.jpg'));
console.log(media_id, type, bytes);
