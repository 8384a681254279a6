import { createServer } from 'node:http';

// The customers' servers, in one process: /well/… answers at once, /hang/… never. /arrivals lists what arrived.
const arrivals: { text: string; atMs: number }[] = [];

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    const told = request.url === '/arrivals' ? arrivals : { count: arrivals.length };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told));
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.url?.startsWith('/hang/')) return;
    const { Message } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { Message: string };
    arrivals.push({ text: Message, atMs: Date.now() });
    response.writeHead(200).end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.env['RECEIVERS_PORT']), '127.0.0.1');
