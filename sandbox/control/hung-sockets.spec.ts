import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { HungSockets } from './hung-sockets.js';

describe('HungSockets', () => {
  let server: Server;
  let hung: HungSockets;
  let clients: Socket[];
  let served: Socket[];

  beforeEach(async () => {
    hung = new HungSockets(2);
    [clients, served] = [[], []];
    server = createServer((socket) => {
      served.push(socket);
      hung.keep(socket.resume());
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
  });
  afterEach(async () => {
    for (const client of clients) client.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Resolves once the server has the connection. */
  async function connected(): Promise<Socket> {
    const accepted = once(server, 'connection');
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.resume();
    clients.push(client);
    await accepted;
    return client;
  }

  it('closes the oldest connection when there are too many', async () => {
    const oldest = await connected();
    await connected();
    const closed = once(oldest, 'close');
    await connected();
    await closed;
    expect(clients.map(({ destroyed }) => destroyed)).toEqual([true, false, false]);
  });

  it('closes all when the fault ends, and keeps the next ones', async () => {
    const closed = [await connected(), await connected()].map((client) => once(client, 'close'));
    hung.close();
    await Promise.all(closed);
    const next = await connected();
    expect(next.destroyed).toBe(false);
  });

  it('forgets a connection that its client has closed', async () => {
    const [, second] = [await connected(), await connected()];
    const [gone] = served.slice(-1).map((socket) => once(socket, 'close'));
    second.destroy();
    await gone;
    await connected();
    expect(served.map(({ destroyed }) => destroyed)).toEqual([false, true, false]);
  });
});
