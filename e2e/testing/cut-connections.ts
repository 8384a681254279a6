import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A way to a server that can be cut, as a network or a balancer does. */
export class CutConnections {
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  private isSilent = false;

  private constructor(private readonly server: Server) {}

  static async to(port: number): Promise<CutConnections> {
    const server = createServer((socket) => way.lead(socket, port));
    const way = new CutConnections(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return way;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Ends all connections, and new ones until `heal`. */
  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.destroy();
  }

  /** Connections stay, new ones are accepted, and nothing passes until `heal`. */
  silence(): void {
    this.isSilent = true;
    for (const socket of this.sockets) socket.unpipe();
  }

  /** Connections that were silenced break. */
  heal(): void {
    if (this.isSilent) for (const socket of this.sockets) socket.destroy();
    this.isCut = false;
    this.isSilent = false;
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private lead(socket: Socket, port: number): void {
    if (this.isCut) return void socket.destroy();
    const upstream = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      this.sockets.add(one);
      // The other end learns of a broken connection by its own.
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.sockets.delete(one);
        other.destroy();
      });
      if (!this.isSilent) one.pipe(other);
    }
  }
}
