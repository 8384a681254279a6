import { readFile } from 'node:fs/promises';

const form = new FormData();
form.set('file', new Blob([await readFile('table.jpg')]), 'table.jpg');
const response = await fetch('https://pennytext.example/api/media', {
  method: 'POST',
  headers: { Authorization: 'Bearer YOUR_API_KEY' },
  body: form,
});
console.log(await response.json());
