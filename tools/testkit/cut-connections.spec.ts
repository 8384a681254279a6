import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { CutConnections } from './cut-connections.js';
import { until } from './until.js';

describe('CutConnections', () => {
  let server: Server;
  let served: Socket[];
  let way: CutConnections;
  let clients: Socket[];

  beforeEach(async () => {
    [served, clients] = [[], []];
    // The server echoes its input.
    server = createServer((socket) => {
      served.push(socket.on('error', () => undefined));
      socket.pipe(socket);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    way = await CutConnections.to((server.address() as AddressInfo).port);
  });
  afterEach(async () => {
    for (const client of clients) client.destroy();
    await way.stop();
    for (const socket of served) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  async function opened(): Promise<Socket> {
    const client = connect(Number(new URL(way.url).port), '127.0.0.1');
    client.on('error', () => undefined);
    clients.push(client);
    await once(client, 'connect');
    return client;
  }
  const answerTo = async (client: Socket, text: string) => {
    client.write(text);
    const [answer] = (await once(client, 'data')) as [Buffer];
    return answer.toString();
  };
  const openSockets = (count: number) =>
    until(`${count} open sockets`, async () => way.openSockets === count, { timeoutMs: 5_000, everyMs: 10 });

  it('passes what both ends send, until it is cut', async () => {
    const client = await opened();
    expect(await answerTo(client, 'Hi')).toBe('Hi');
    const closed = once(client, 'close');
    way.cut();
    await closed;
    const refused = await opened();
    await once(refused, 'close');
    way.heal();
    expect(await answerTo(await opened(), 'Hi again')).toBe('Hi again');
  });

  it('passes nothing while it is silent, on old and new connections, which break afterwards', async () => {
    const old = await opened();
    await answerTo(old, 'Hi');
    way.silence();
    const all = [old, await opened()];
    const heard: string[] = [];
    for (const client of all) client.on('data', (octets: Buffer) => heard.push(octets.toString()));
    for (const client of all) client.write('Hello?');
    // The server gives up; the client does not learn of it.
    served[0]?.destroy();
    await openSockets(2);
    expect([heard, served.length, all.map(({ destroyed }) => destroyed)]).toEqual([[], 1, [false, false]]);
    const closed = all.map((client) => once(client, 'close'));
    way.heal();
    await Promise.all(closed);
    expect(await answerTo(await opened(), 'Hi again')).toBe('Hi again');
  });

  it('keeps no connection that its client gives up in a silence', async () => {
    const before = await Promise.all(Array.from({ length: 20 }, opened));
    for (const client of before) await answerTo(client, 'Hi');
    way.silence();
    const during = await Promise.all(Array.from({ length: 20 }, opened));
    for (const client of [...before, ...during]) client.write('Hello?');
    for (const client of [...before, ...during]) client.destroy();
    await openSockets(0);
    await until('no connection of the server', async () => served.every(({ destroyed }) => destroyed), {
      timeoutMs: 5_000,
      everyMs: 10,
    });
  });
});
