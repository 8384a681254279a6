import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * A proxy between a program and one of its services that can interrupt the service. `through`:
 * everything passes. `gone`: connections break and new connections are cut off. `mute`: requests
 * pass, and the connection breaks at the first answer. `silent`: connections are accepted and stay,
 * and nothing comes back.
 */
export interface TcpProxy {
  readonly port: number;
  set(mode: Mode): void;
  close(): Promise<void>;
}

type Mode = 'through' | 'gone' | 'mute' | 'silent';

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  let mode: Mode = 'through';
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    // A broken connection is the purpose of this proxy.
    socket.on('error', () => socket.destroy());
  };
  const server = createServer((client) => {
    keep(client);
    if (mode === 'gone') return void client.destroy();
    const service = connect(target);
    keep(service);
    client.on('data', (data) => service.write(data));
    service.on('data', (data) => {
      if (mode === 'mute') client.destroy();
      else if (mode !== 'silent') client.write(data);
    });
    client.on('close', () => service.end());
    service.on('close', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => open.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    set: (next) => {
      mode = next;
      if (mode === 'gone') cut();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        cut();
      }),
  };
}
